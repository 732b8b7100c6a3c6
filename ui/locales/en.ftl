# Every sentence of the wallet's pages, in English. Ids begin with the page that says them.
# A term of the field is one word everywhere: never a second word for the same thing.

brand = Countersign
confirm-name = Confirm · Countersign
mark-label = Your mark: { $first } { $second }
test-build = Test build: no real network, no real tokens

## Links between the window and the wallet

link-connecting = Opening your wallet…
link-lost-title = The wallet stopped answering
link-lost = Nothing you did here is lost or half done: what was stored goes on. Close this window and open Countersign from the toolbar.
link-gone-title = Countersign was updated
link-gone = This window belongs to the version before. Close it and open Countersign from the toolbar.
link-refused-token-title = This window is not connected
link-refused-token = It was reloaded or copied, so the wallet no longer trusts it. Close it and open Countersign from the toolbar.
link-refused-newer-title = Your data is newer than this version
link-refused-newer = It was written by a later Countersign, and this one will not touch it. Update Countersign.
link-refused-store-title = The browser does not give out your data
link-refused-store = Without its journal the wallet does nothing, so that nothing is paid twice. Restart the browser; if that does not help, the profile’s storage may be damaged.
link-interrupted = The wallet restarted while it worked on your last step. Look at what stands here before you press again.
close = Close

## What every page may say

clock-off = This computer’s clock is { $by } { $ahead ->
    [yes] ahead of
   *[no] behind
  } the network. Payments go by the network’s time; only the times shown here are wrong.
seconds = { $n ->
    [one] { $n } second
   *[other] { $n } seconds
  }
minutes = { $n ->
    [one] { $n } minute
   *[other] { $n } minutes
  }
hours = { $n ->
    [one] { $n } hour
   *[other] { $n } hours
  }
copy = Copy
copied = Copied
copy-address = Copy the address of { $name }
nav-label = Wallet
nav-home = Home
nav-activity = Activity
nav-canisters = Canisters
nav-networks = Networks
nav-settings = Settings
nav-lock = Lock
nav-freeze = Freeze
nav-freeze-note = Lock, decline every request and close every site’s access until your passphrase
back = Back
none = none
being-read = being read…

## Failures of a step

fail-wrong-passphrase = This passphrase does not open your wallet.
fail-short-passphrase = The passphrase is too short.
fail-earlier-wallet = This browser lost the data of an earlier wallet, and still keeps a sealed copy of its phrase, which a new wallet would overwrite. Nothing was made. If you have no use for that wallet, remove Countersign from the browser and add it again.
fail-wallet-exists = There is a wallet already. Close this window and open Countersign from the toolbar.
fail-locked = The wallet is locked.
fail-bad-url = This is no address of a network. It begins with https://, or with http:// for one on this computer.
fail-bad-name = Give a name of 1 to 40 characters that no other network has.
fail-bad-canister = This is no canister id. One looks like ryjl3-tyaaa-aaaaa-aaaba-cai.
fail-bad-interface = This is no Candid interface that can be read: it has a fault, is larger than 1 MiB, or imports another file. Paste one whole file.
fail-bad-profile = This is no profile that can be read: it has to be one JSON document with "format": "candid-profile", of at most 64 KiB, without "candid".
fail-bad-values = With this, values that the canister’s tools need cannot be read. It was taken back.
fail-ask-gone = This request is gone, or was decided in another window.
fail-ask-changed = The request changed before your answer arrived. Look again.
fail-ask-expired = The time for this request has run out. Nothing was sent.
fail-no-time = The network did not answer, so nothing was signed or sent. Try again when it is back.
fail-not-now = That is not possible as things stand now.
fail-not-stored = The browser did not store it, so nothing was done. Free some disk space and try again.
fail-other = That did not work ({ $code }). Nothing was sent.

## First run

first-title = Make your wallet
first-lead = Two things only you will know: a mark and a passphrase.
first-mark-title = Your mark
first-mark = Every window of this wallet shows it at the very top. No web page can see it. A window without it is not ours: type nothing there.
first-mark-again = Draw another
first-pass-title = Your passphrase
first-pass = It locks the wallet on this computer. We cannot reset it.
first-pass-field = Passphrase
first-pass-twice = The same once more
first-pass-show = Show what I type
first-pass-differ = The two are not the same yet.
first-hint-empty = At least { $n } characters. Four or five words that nobody ever put together are good.
first-hint-short = { $n ->
    [one] One more character at least.
   *[other] { $n } more characters at least.
  }
first-hint-plain = Too regular: repeats and rows like 12345 are tried first.
first-hint-fair = Fair. A patient computer might get through it; longer is better.
first-hint-long = Long enough, unless it is a quote, a name or a date. We measure only length and repetition.
first-account-title = Your account
first-account = It belongs to one network, { $network }, and works on no other. Networks you add get accounts of their own.
first-restore-title = This wallet cannot be restored yet
first-restore = Its recovery phrase is made now and sealed with your passphrase. Showing it to you comes in a later version. Until then, if you lose the passphrase or this browser profile, you lose what the account holds.
first-go = Make wallet
first-working = Sealing…

## Unlock

unlock-title = Unlock
unlock-check = Is this your mark at the top? If not, close this window.
unlock-field = Passphrase
unlock-go = Unlock
unlock-working = Opening…
unlock-asked = A site you connected asks for something. You see what it is once you unlock.
unlock-waiting = { $n ->
    [one] One request waits for you.
   *[other] { $n } requests wait for you.
  }
unlock-frozen-title = Frozen { $at }
unlock-frozen = Every request was declined, and no site has access. What was sent before is still followed. Your passphrase ends the freeze and gives sites back the access they had.
unlock-in-flight = { $n ->
    [one] One payment you approved is on its way. It goes on while the wallet is locked.
   *[other] { $n } payments you approved are on their way. They go on while the wallet is locked.
  }

## Home

home-title = Home
home-waiting = { $n ->
    [one] One request waits for your decision
   *[other] { $n } requests wait for your decision
  }
home-review = Look at it
home-accounts = Accounts
home-account-on = on { $network }
home-receive = Receive at
home-principal = Principal
home-sites = Given to
home-no-sites = No site has this account.
home-no-tokens = No balance to show yet. Balances come from ledgers that a site you connected uses.
home-unread = could not be read
home-unnamed-token = Unnamed token
home-latest = Latest
home-nothing = Nothing has been asked yet. A site finds this wallet by itself; what it asks shows up here.
home-all = All activity

## Activity

activity-title = Activity
activity-older = Older activity is kept, but not shown here.
activity-block = block { $block }
activity-to = to { $party }

state-prepared = prepared
state-asked = waits for you
state-sending = sending
state-paid = paid
state-allowed = allowed
state-moved = moved
state-done = done
state-already = was already done
state-no-answer = no answer yet
state-unclear = unclear
state-declined = declined
state-expired = expired
state-not-executed = did not happen
state-refused = refused by the canister
state-superseded = replaced
state-settled-done = settled: it happened
state-settled-not = settled: it did not
state-settled-again = settled: it may be asked again

standing-title = { $n ->
    [one] One payment has no answer yet
   *[other] { $n } payments have no answer yet
  }
home-damaged = { $n ->
    [one] One stored call cannot be read
   *[other] { $n } stored calls cannot be read
  }
home-damaged-means = It may have been paid. Nothing is sent for it any more, and the same call is refused when a site asks again. Look at the other side before you pay another way.
standing-title-one = This has no answer yet
standing-known = What we know
standing-doing = What we do
standing-advice = What you do
known-sent = Sent { $at }. No answer has come yet.
known-accepted = Sent { $at }. The network took it and is working on it.
known-gone = Sent { $at }. The network no longer keeps the answer.
known-trapped = Sent { $at }. The canister failed while it ran; part of it may stand.
known-rejected = Sent { $at }. It was rejected, which does not tell whether part of it ran.
known-unreadable = Sent { $at }. The answer cannot be read by the interface it was prepared with.
known-restored = This journal was restored or copied. What happened since is not in it.
doing-asking = Sending the same message again and asking for its answer. The same message never runs twice.
doing-asking-until = Asking for its answer until { $at }; after that the message can no longer run.
doing-ledger = Looking for it in the ledger’s blocks.
doing-ledger-at = Looking in the ledger’s blocks again { $at }.
doing-nothing = Nothing more. Nothing we can read would settle it.
advice-wait = Nothing. Above all, do not pay it another way yet.
advice-wait-until = Nothing before { $at }. Above all, do not pay it another way.
advice-again = Send it again, if you like. This ledger drops repeats, so it cannot be paid twice.
advice-settle = Ask the other side whether it arrived, then settle it below.

## One call

intent-none-title = No such request
intent-none = It is not in this wallet’s journal.
intent-history = What happened
intent-answer = The canister’s answer
intent-actions = What you can do
action-again = Ask me to send it again
action-happened = It happened
action-did-not = It did not happen
action-twice = Let it be asked again
action-sure-happened = You say the other side has it. The wallet then never sends it again.
action-sure-did-not = You say it did not happen. The site may then ask for it anew.
action-sure-twice = The site may ask for it anew although this one may have run. It may then happen twice.
action-yes = Yes, settle it
action-yes-twice = Yes, it may happen twice
action-no = Keep it as it is

happened-prepared = Prepared by the site
happened-asked = The site asked to send it
happened-asked-again = The site asked to send it again
happened-approved = You said yes
happened-declined = You said no
happened-lapsed = Your yes was not used in time and lapsed; nothing was sent on it
happened-signed = Signed and stored
happened-handed-over = Handed to the network
happened-answered = Certified answer
happened-never-ran = Proved never to have run
happened-unclear = An answer that proves nothing
looked-not-yet = Looked in the ledger’s blocks: it is not there, and it may still come
looked-no-rule = No rule says how to find it in this canister’s blocks
looked-no-answer = Looked in the ledger’s blocks: they did not come, or not with a certificate
looked-broken-chain = Looked in the ledger’s blocks: those that came do not join to its certified end
looked-rewritten = Looked in the ledger’s blocks: they are not those that stood when this was sent
looked-window-unknown = Looked in the ledger’s blocks: it is not there, and nobody knows how long it may still come
looked-too-many = Looked in the ledger’s blocks: too many came since to read them all in time
looked-ambiguous = Looked in the ledger’s blocks: one may be this, written in another way
happened-found = Found in the ledger’s blocks
happened-absent = Proved to be absent from the ledger’s blocks
happened-told = The site was told
happened-expired = Its time ran out
happened-superseded = Replaced by another request
happened-settled = Settled by you

## Networks

networks-title = Networks
networks-lead = A network is known by its root key, not by its address or name. An account belongs to exactly one.
networks-builtin = built in
networks-key = Root key (SHA-256)
networks-urls = Reached at
networks-accounts = Accounts
networks-dedup = Ledgers known to drop repeats
networks-dedup-lead = Only on these may a payment without an answer be sent a second time. Add a ledger only if you know how it works; a wrong entry can make you pay twice.
networks-dedup-builtin = For mainnet the list comes with the wallet.
networks-dedup-none = None.
networks-dedup-field = Canister id of the ledger
networks-dedup-add = Add ledger
networks-dedup-remove = Remove { $ledger }
networks-remove = Remove
networks-add-title = Add a network
networks-add-lead = We ask it for its root key once and show it to you. From then on only answers signed under that key count.
networks-url-field = Address
networks-read = Read its root key
networks-reading = Reading the root key of { $url }…
networks-read-title = Is this its root key?
networks-read-lead = Compare it with what the people who run the network say. Whoever holds this key decides what the wallet believes there.
networks-name-field = Your name for it
networks-add = Add network
networks-known = This is { $name }, which you have. The address becomes one more way to reach it.
networks-add-url = Add the address
networks-cancel = Cancel
networks-fail-no-answer = Nothing answers at { $url }.
networks-fail-not-network = What answers at { $url } is no Internet Computer network.
networks-fail-bad-key = { $url } gives a root key that is none.
networks-fail-not-certified = { $url } cannot prove that it holds its own root key.
networks-try-again = Try another address

## The confirm window

ask-asks = asks
ask-adds = gets what you add
ask-since = connected since { $at }
ask-not-connected = not connected
ask-done = { $n ->
    [0] nothing carried out yet
    [one] one carried out
   *[other] { $n } carried out
  }
ask-punycode = This name is written in another alphabet than the one you read here. Check that it is who you think.
ask-says = The site says
call-says = { $who } says
call-says-of = { $who } says of
ask-queue = { $nth } of { $of }
ask-queue-label = Request { $nth } of { $of } that wait
ask-irreversible = cannot be undone
ask-to = to
ask-spender = may be taken by
ask-from = from
ask-call = { $method } on
ask-fee = Fee
ask-fee-by-ledger = set by the ledger when it runs
ask-total = In all
ask-total-about = In all, about
ask-sender = From
ask-balance-unread = balance could not be read
ask-balance-short = does not cover it
ask-arguments = Every argument
ask-arguments-note = formatted, and raw as signed
ask-named = named by the canister:
ask-pasted = The interface was given by you, not by the canister. Of each name the bytes hold only the number behind #.
ask-no-arguments = This call has no arguments.
ask-filled-wallet = set by the wallet
ask-filled-canister = left to the ledger
ask-filled-nobody = none
ask-bytes = Exact bytes
ask-bytes-note = { $n } bytes for { $method }
consent-title = The canister says
consent-note = in its own words, which nobody checked
consent-agrees = It names the same account and the same amount as this wallet decoded.
consent-nothing = Its words could not be compared with what this wallet decoded. What is signed stands above.
consent-differs-title = This is not what is signed
consent-differs = What is signed is what this wallet decoded from the exact bytes, above.
consent-party = Account
consent-amount = Amount
consent-ours = signed here:
consent-theirs = the canister says:
consent-language = It says that this is in another language than was asked for:
consent-refused = The canister does not describe this call. It says:
consent-unreadable = The canister’s description of this call is none that can be read, or is too long.
consent-late = The canister did not describe this call in time.
consent-unanswered = The canister gave no certified description of this call.
consent-seconds = { $n } s
ask-proof = What this rests on
ask-proof-pack = Words and formats
ask-proof-pack-value = { $name }, built in
ask-proof-person-value = { $name }, a profile you trusted
ask-proof-untagged = no profile: values are shown by their type only
ask-proof-interface = Interface
ask-proof-pasted = given by you; the canister publishes none
ask-proof-values = Fee, decimals, symbol
ask-proof-certified = certified by the canister { $at }
ask-proof-module = Canister’s code
ask-canister = Canister
ask-network = Network
ask-account = Your account
ask-digest = Digest of this request
ask-lost = If the answer gets lost:
ask-lost-known = Sending the same again is safe here: this ledger drops repeats. You would be asked first.
ask-lost-known-until = Sending the same again is safe here: this ledger drops repeats until { $at }. You would be asked first.
ask-lost-claimed = This ledger says that it drops repeats, which nobody has proved on this network. We never send twice on that. If the answer is lost, look at the account’s history before you pay again.
ask-lost-unstamped = This call has nothing by which a repeat could be told. We send it once, and again only if the first is proved never to have run.
ask-until = Decide by { $at }
ask-resend-title = An earlier attempt may have executed
ask-resend = { $sent ->
    [one] It was sent { $at }, and no answer proves what became of it.
   *[other] It was sent { $sent } times, first { $at }, and no answer proves what became of it.
  }
ask-resend-safe = Sending again cannot pay twice: the bytes are the same to the last bit, and this ledger drops repeats.
ask-resend-claimed = Sending again could pay twice if this ledger does not keep its claim.
ask-resend-no = Declining sends nothing more. It does not undo the earlier attempt.
ask-notice-lapsed = Your earlier yes was not used
ask-lapse-late = It could not be sent within two minutes, so it no longer counts. Nothing was sent on it.
ask-lapse-locked = The wallet was locked before it was sent, so it no longer counts. Nothing was sent on it.
ask-lapse-restored = This journal was restored or copied, so it no longer counts.
ask-lapse-no-time = The network gave no certified time, so it no longer counts. Nothing was sent on it.
ask-notice-changed = Something changed since you looked
ask-notice-changed-lead = Nothing was sent. Here is what differs; everything below is as it is now.
ask-changed-fee = Fee
ask-changed-decimals = Decimals
ask-changed-balance = Balance
ask-changed-module = Canister’s code
ask-changed-was = was
ask-changed-is = is
ask-changed-unread = not readable
risk-acknowledge = I have checked this
risk-possibly-paid-title = This may have been done already
risk-possibly-paid = You approved the same for { $site } { $at }, and it is not known whether it was carried out. If it was, this does it a second time.
risk-possibly-paid-undated = You approved the same for { $site }, and it is not known whether it was carried out. If it was, this does it a second time.
risk-look-alike-title = This payee looks like another account
risk-look-alike = It begins and ends like an account that you paid before or own, and is a different one. The one you know:
risk-from-text-title = The payee comes from somebody else’s text
risk-from-text = This address stood in a memo, a name or a message that others wrote and that the site read through this wallet. Make sure that you mean to pay it.
risk-maybe-text-title = The payee may come from somebody else’s text
risk-maybe-text = This site has read texts of others through this wallet with more addresses in them than it remembers. Make sure that you mean to pay this one.
risk-is-ledger-title = The payee is a ledger or a minter
risk-is-ledger = Tokens sent to a ledger are lost. Tokens sent to a minter are burned.
risk-canister-differs-title = The canister says something else
risk-canister-differs = The canister describes another call than this wallet decoded from the bytes. Both stand below the arguments. If you cannot explain the difference, decline.
risk-far-above-title = Far more than usual
risk-far-above = This site’s payments on this ledger are usually around { $usual }. This one is at least ten times as large.
risk-above-balance-title = The allowance is larger than the balance
risk-above-balance = The spender may take all that is there now, and what comes later, up to this amount.
risk-short = The balance does not cover what this costs: the ledger will likely refuse.
risk-most = This takes { $percent }% of the balance.
risk-fee = The fee is about { $percent }% of the amount.
risk-no-end = The allowance has no end: it stands until it is used up or taken back.
risk-paid-before = You approved the same amount to the same payee { $at }, and it was paid.
risk-pasted = You pasted this canister’s interface. If it is wrong, so is what you read here.
risk-hidden-why = The site’s words contain invisible characters, which are shown as codes.
risk-hidden = The argument { $path } contains invisible characters, which are shown as codes.
risk-mixed-why = The site’s words mix letters of different alphabets, which can look alike.
risk-mixed = The argument { $path } mixes letters of different alphabets, which can look alike.
risk-first = You have not paid this account before.
risk-new-for-site = You have paid this account before, but not for this site.
risk-is-canister = The payee is a canister: only its code can move what it gets.
risk-last-same = You approved this same call for this site { $at }.
risk-last-differs = You approved a call like this for this site { $at }. What differs is marked below.
ask-last-time = last time:
ask-last-empty = last time: empty
ask-working = Checking and sending…
ask-decline = Decline
ask-later = Later
ask-pay = Pay { $amount }
ask-allow = Allow { $amount }
ask-move = Move { $amount }
ask-pay-again = Send { $amount } again
ask-do = Call { $method }
ask-do-again = Call { $method } again
ask-wait-paint = One moment…
ask-wait-end = Read to the end first
ask-wait-acknowledge = Tick each warning above first
ask-wait-read = Reading what the ledger certifies…
ask-wait-focus = Click into this window first
ask-wait-time = One moment…
ask-come-back = Move the pointer off the button and back
ask-armed = Ready

## Titles of calls: in English exactly as the built-in packs have them

title-send = Send tokens
title-send-to-identifier = Send tokens to an account identifier
title-send-from = Send tokens from an allowance
title-approve = Approve a spender
title-revoke = Revoke an allowance
title-send-nft = Send a token of the collection
title-send-nft-from = Send a token of the collection by an approval
title-revoke-nft = Revoke an approval of a token
title-revoke-collection = Revoke an approval of the collection
title-credit-bitcoin = Credit bitcoin that arrived
title-withdraw-bitcoin = Withdraw bitcoin from the withdrawal account
title-withdraw-bitcoin-from = Withdraw bitcoin by an allowance
title-withdraw-ether = Withdraw ether
title-withdraw-erc20 = Withdraw an Ethereum token
title-cycles = Move cycles to a canister
title-cycles-from = Move cycles of an allowance to a canister
title-canister-create = Create a canister
title-canister-create-from = Create a canister from an allowance
title-canister-start = Start a canister
title-canister-stop = Stop a canister
title-canister-delete = Delete a canister
title-canister-uninstall = Remove the code and data of a canister
title-vote = Vote on a proposal
title-follow-topic = Follow neurons on a topic
title-follow-topics = Follow neurons on several topics
title-follow-function = Follow neurons on a function
title-neuron-configure = Change the settings of a neuron
title-neuron-split = Split a neuron
title-neuron-merge = Merge a neuron into another
title-neuron-spawn = Spawn a neuron from maturity
title-stake-maturity = Stake maturity
title-neuron-disburse = Disburse a neuron
title-disburse-maturity = Disburse maturity
title-neuron-claim = Claim a neuron or refresh its stake
title-neuron-refresh = Confirm following and refresh voting power
title-neuron-permit = Let a principal use a neuron
title-neuron-unpermit = Take permissions of a neuron back

## Connecting

connect-title = Wants to connect
connect-title-person = You choose a canister for this site
connect-title-more = Wants more than it has
connect-lead = It may use the tools below with this one account. Every payment still asks you.
connect-lead-person = You add it, the site did not ask. It may then use the tools below with this one account. Every payment still asks you.
connect-account = With which account
connect-account-new = No other site has it
connect-account-used = Also given to
connect-preset = What it may do
preset-look = Look
preset-look-note = Read balances and fees. Nothing can be sent.
preset-payments = Payments
preset-payments-note = Look, and prepare payments for you to confirm.
preset-all = Everything
preset-all-note = All that these canisters offer. What changes anything asks you.
preset-named = What it named
preset-named-note = Exactly the tools the site asked for.
connect-canisters = Canisters
connect-no-canisters = It names no canister: it can only ask about its own requests.
connect-canister-reading = Reading its certified interface…
connect-decimals = Decimals
connect-fee = Fee
connect-name = Calls itself
connect-standards = Standards
connect-interface = Interface
connect-methods = { $n ->
    [one] one method
   *[other] { $n } methods
  }
connect-methods-pasted = { $n ->
    [one] one method, as you gave it
   *[other] { $n } methods, as you gave them
  }
connect-module = Code
connect-hashes = Hashes of interface and code
connect-certified = Certified
connect-repeats = Repeats
connect-repeats-known = dropped; on this network’s list
connect-repeats-claimed = dropped, it says; not on this network’s list
connect-repeats-unstamped = not dropped
connect-unread = left out
connect-no-canister = There is no such canister on { $network }.
connect-no-interface = It publishes no interface, so there is nothing to read its calls by, unless you have its text.
connect-bad-interface = Its interface cannot be read.
connect-no-answer = The network did not answer.
connect-not-certified = Its answer did not verify under the network’s root key.
connect-bad-values = Its symbol or decimals are nothing that can be shown safely.
connect-tools = { $n ->
    [one] One tool
   *[other] { $n } tools
  }
connect-tools-read = Reads, without asking you
connect-tools-prepare = Prepares; nothing is sent
connect-tools-commit = Asks you to send
connect-tools-wallet = About its own requests
connect-tools-note = press one to read what a model reads
connect-skipped = { $n ->
    [one] One method without a tool
   *[other] { $n } methods without a tool
  }
connect-skipped-note = and why
connect-block-reading = Still reading the canisters
connect-block-nothing = None of its canisters could be read
connect-go = Connect
connect-go-person = Add it
connect-with = with

look-alike-title = This is not { $symbol }.
look-alike = It only calls itself like it. The real { $symbol } is
pasted-used = You gave this interface, and the canister vouches for none of it. A call carries only a hash of each name, and another name can have the same hash: whoever wrote this text could swap who is paid and who is refunded.
pasted-labels = { $n ->
    [one] One name with its hash
   *[other] { $n } names with their hashes
  }
pasted-same = What you pasted is the very interface that the canister publishes. The published one is used.
pasted-differs = The interface that you pasted is not the one that the canister publishes, so it is refused, and the published one is used. It differs here:
hand-title = By hand
hand-interface = Its interface, as Candid text
hand-interface-note = Take it only from somebody who answers for it. Where the canister publishes one, that one is used.
hand-interface-go = Use this interface
hand-interface-back = Take the interface back
hand-profile = A profile, as JSON
hand-profile-note = It says what a canister’s values mean.
hand-profile-go = Add this profile
hand-profile-back = Take it back

## Profiles

profile-of-canister = The canister’s profile
profile-of-site = The site’s profile
profile-of-person = Your profile
profile-name = It calls itself
profile-trusted = trusted by you
profile-narrows = only narrows
profile-trusted-note = You trust it. A model reads its titles and descriptions, and its formats are shown to you as facts.
profile-narrows-note = It may limit what is put in, and its words are shown to you as quotes. Nothing else of it counts, and no model reads its words.
profile-more = What it says
profile-more-note = { $n ->
    [0] nothing that trust would change
    [one] and the one change if you trust it
   *[other] and { $n } changes if you trust it
  }
profile-more-trusted = { $n ->
    [0] it changes nothing
    [one] one change
   *[other] { $n } changes
  }
profile-words = Its words
profile-changes = It would also change this, if you trust it
profile-changed = It changes this
profile-never = Left out, even where it is trusted
profile-problems = What is wrong with it
profile-whole = all of it
profile-further = { $n ->
    [one] One more line is not listed.
   *[other] { $n } more lines are not listed.
  }
profile-trust-lead = If you trust it, a model reads its titles and descriptions, and its formats are shown to you as facts: if it lies, you read lies. When a call may be sent again and how many decimals a token has still come only from built-in packs and certified replies.
profile-trust = Trust this profile
profile-untrust = Trust it no longer

## Canisters

canisters-title = Canisters
canisters-lead = What each connected site may use. A site asks for more by itself; here you add one for it.
canisters-none = No site is connected. A site finds this wallet by itself, and what you then give it stands here.
canisters-account = With the account
canisters-empty = No canister yet.
canisters-tools = { $n ->
    [0] no tools
    [one] one tool
   *[other] { $n } tools
  }
canisters-pasted = interface given by you
canisters-withheld = It changed since you accepted it, and gives no tools until you have looked at it again.
canisters-look = Look at what it is now
canisters-field = Canister id to add for { $site }
canisters-add = Add a canister

## Settings

settings-title = Settings
settings-lead = How these pages look. What you sign and what a site is told stay the same.
settings-language = Language
settings-language-browser = As the browser
settings-language-browser-note = now { $language }
settings-theme = Light or dark
settings-theme-system = As the system
settings-theme-light = Light
settings-theme-dark = Dark

## After a decision

done-approved = Approved
done-connected = Connected
done-declined = Declined
done-declined-note = Nothing was sent.
done-declined-resend-note = Nothing more was sent. The earlier attempt may still have executed; the wallet goes on finding out.
done-later = Left for later
done-later-note = It waits in the wallet until you decide or its time runs out.
done-connected-note = The site can use its tools now. Payments still ask you.
done-sending-note = You can close this window; it goes on by itself.
done-refused-note = It was sent, and the canister refused it. The site is told why.
done-next = Next
done-next-from = Next: { $site }
done-next-waiting = { $n ->
    [one] One more request waits
   *[other] { $n } more requests wait
  }
dead-title = This request has ended
dead-expired = The time for it ran out before you decided. Nothing was sent.
dead-withdrawn = The site took it back. Nothing was sent.
dead-elsewhere = You decided it in another window.
dead-changed = The canister is no longer what it was when this was prepared. Nothing was sent; the site has to prepare it anew.
dead-settled = It came to its end without another attempt.
dead-unknown = The wallet does not know this request any more.
no-ask-title = Nothing waits for you
no-ask = When a site asks for something, it shows up here.
