# 钱包各页面的全部文字，简体中文。id 与 en.ftl 相同，以显示它的页面开头。
# 同一事物只用同一个词：容器、主体、账户、子账户、账本、区块、手续费、余额、铸币容器、请求、批准、拒绝、签名、
# 密码短语、助记词、接口、描述文件、根密钥、去重。

brand = Countersign
confirm-name = 确认 · Countersign
mark-label = 你的标记：{ $first } { $second }
test-build = 测试版：不连真实网络，不用真实代币

## 窗口与钱包之间的连接

link-connecting = 正在打开你的钱包……
link-lost-title = 钱包没有回应
link-lost = 你在这里做的事没有丢失，也没有只做一半：已保存的会继续进行。请关闭此窗口，再从工具栏打开 Countersign。
link-gone-title = Countersign 已更新
link-gone = 此窗口属于更新前的版本。请关闭它，再从工具栏打开 Countersign。
link-refused-token-title = 此窗口未连接
link-refused-token = 它被重新加载或复制过，钱包不再信任它。请关闭它，再从工具栏打开 Countersign。
link-refused-newer-title = 你的数据比此版本新
link-refused-newer = 数据由更高版本的 Countersign 写入，此版本不会改动。请更新 Countersign。
link-refused-store-title = 浏览器不提供你的数据
link-refused-store = 没有日志，钱包什么也不做，以免重复付款。请重启浏览器；如果仍不行，浏览器个人资料的存储可能已损坏。
link-interrupted = 钱包在处理你的上一步时重新启动了。再次操作之前，请先看清这里的内容。
close = 关闭

## 每个页面都可能出现的文字

clock-off = 这台电脑的时钟比网络{ $ahead ->
    [yes] 快
   *[no] 慢
  } { $by }。付款以网络时间为准；只有这里显示的时间不准。
seconds = { $n } 秒
minutes = { $n } 分钟
hours = { $n } 小时
copy = 复制
copied = 已复制
copy-address = 复制“{ $name }”的地址
nav-label = 钱包
nav-home = 首页
nav-activity = 活动
nav-canisters = 容器
nav-networks = 网络
nav-settings = 设置
nav-lock = 锁定
nav-freeze = 冻结
nav-freeze-note = 锁定钱包，拒绝每个请求，并关闭每个网站的权限，直到你输入密码短语
back = 返回
none = 无
being-read = 读取中……

## 未成功的操作

fail-wrong-passphrase = 这个密码短语打不开你的钱包。
fail-short-passphrase = 密码短语太短。
fail-earlier-wallet = 此浏览器丢失了以前一个钱包的数据，但仍保存着它的助记词的加密副本，新建钱包会覆盖这个副本。因此什么也没有创建。如果你不再需要那个钱包，请从浏览器中移除 Countersign，再重新添加。
fail-wallet-exists = 已经有一个钱包。请关闭此窗口，再从工具栏打开 Countersign。
fail-locked = 钱包已锁定。
fail-bad-url = 这不是网络的地址。地址以 https:// 开头；在这台电脑上的网络以 http:// 开头。
fail-bad-name = 请取一个 1 到 40 个字符、且没有其他网络使用的名称。
fail-bad-canister = 这不是容器 id。容器 id 形如 ryjl3-tyaaa-aaaaa-aaaba-cai。
fail-bad-interface = 这不是可读的 Candid 接口：它有错误、超过 1 MiB，或引用了其他文件。请粘贴一个完整的文件。
fail-bad-profile = 这不是可读的描述文件：它必须是一份 JSON 文档，含 "format": "candid-profile"，不超过 64 KiB，且不含 "candid"。
fail-bad-values = 用了它，就读不出这个容器的工具所需的值。已将它撤回。
fail-ask-gone = 这个请求已不存在，或已在另一个窗口中作出决定。
fail-ask-changed = 在你的决定到达之前，请求发生了变化。请再看一遍。
fail-ask-expired = 这个请求的时限已过。什么也没有发送。
fail-no-time = 网络没有答复，因此什么也没有签名或发送。请等网络恢复后再试。
fail-not-now = 在目前的情况下不能这样做。
fail-not-stored = 浏览器未能保存，因此什么也没有做。请腾出一些磁盘空间后再试。
fail-other = 操作未成功（{ $code }）。什么也没有发送。

## 首次使用

first-title = 创建你的钱包
first-lead = 只有你知道的两样东西：标记和密码短语。
first-mark-title = 你的标记
first-mark = 这个钱包的每个窗口都在最上方显示它。任何网页都看不到它。没有它的窗口不是我们的：不要在那里输入任何内容。
first-mark-again = 换一个
first-pass-title = 你的密码短语
first-pass = 它锁住这台电脑上的钱包。我们无法重置它。
first-pass-field = 密码短语
first-pass-twice = 再输入一次
first-pass-show = 显示输入的内容
first-pass-differ = 两次输入还不一致。
first-hint-empty = 至少 { $n } 个字符。四五个从未有人放在一起的词就很好。
first-hint-short = 至少还差 { $n } 个字符。
first-hint-plain = 太有规律：重复的和像 12345 这样连续的最先被试出来。
first-hint-fair = 尚可。有耐心的电脑也许能试出来；再长些更好。
first-hint-long = 够长了，除非它是一句引文、一个名字或一个日期。我们只衡量长度和重复。
first-account-title = 你的账户
first-account = 它只属于一个网络（{ $network }），在其他网络上都不能用。你添加的网络会有各自的账户。
first-restore-title = 这个钱包目前还不能恢复
first-restore = 它的助记词现在就会生成，并用你的密码短语加密保存。以后的版本才能把它显示给你。在那之前，如果丢失密码短语或这份浏览器个人资料，账户里的一切都会丢失。
first-go = 创建钱包
first-working = 正在加密……

## 解锁

unlock-title = 解锁
unlock-check = 最上方是你的标记吗？如果不是，请关闭此窗口。
unlock-field = 密码短语
unlock-go = 解锁
unlock-working = 正在打开……
unlock-asked = 你连接的一个网站发来了请求。解锁后即可看到内容。
unlock-waiting = 有 { $n } 个请求在等你。
unlock-frozen-title = 已于 { $at } 冻结
unlock-frozen = 所有请求都已被拒绝，任何网站都没有访问权限。之前已发送的调用仍会继续跟踪。输入密码短语会结束冻结，并把网站原有的访问权限还给它们。
unlock-in-flight = 你批准的 { $n } 笔付款正在途中。钱包锁定时，付款会继续进行。

## 首页

home-title = 首页
home-waiting = 有 { $n } 个请求等你决定
home-review = 查看
home-accounts = 账户
home-account-on = 位于 { $network }
home-receive = 收款地址
home-principal = 主体
home-sites = 已授予
home-no-sites = 此账户未授予任何网站。
home-no-tokens = 还没有可显示的余额。余额来自你连接的网站所用的账本。
home-unread = 读取失败
home-unnamed-token = 未命名的代币
home-latest = 最近
home-nothing = 还没有任何请求。网站会自己找到这个钱包；它的请求会显示在这里。
home-all = 全部活动

## 活动

activity-title = 活动
activity-older = 更早的活动也保存着，但不在这里显示。
activity-block = 区块 { $block }
activity-to = 给 { $party }

state-prepared = 已准备
state-asked = 等你决定
state-sending = 发送中
state-paid = 已付款
state-allowed = 已授权
state-moved = 已转移
state-done = 已完成
state-already = 此前已完成
state-no-answer = 尚无答复
state-unclear = 不明
state-declined = 已拒绝
state-expired = 已过期
state-not-executed = 未发生
state-refused = 容器未接受
state-superseded = 已被取代
state-settled-done = 已认定：发生了
state-settled-not = 已认定：没有发生
state-settled-again = 已认定：可再次请求

standing-title = 有 { $n } 笔付款尚无答复
home-damaged = 有 { $n } 笔已保存的调用无法读取
home-damaged-means = 它可能已经付款。钱包不会再为它发送任何内容；网站再次请求同样的调用时会被拒绝。在用其他方式付款之前，请先向对方核实。
standing-title-one = 它尚无答复
standing-known = 已知的情况
standing-doing = 钱包正在做的
standing-advice = 你要做的
known-sent = 已于 { $at } 发送。尚未收到答复。
known-accepted = 已于 { $at } 发送。网络已接收，正在处理。
known-gone = 已于 { $at } 发送。网络不再保存它的答复。
known-trapped = 已于 { $at } 发送。容器在执行中出错；部分结果可能已生效。
known-rejected = 已于 { $at } 发送。它被驳回，但这说明不了其中是否有一部分已经执行。
known-unreadable = 已于 { $at } 发送。按准备时的接口，读不懂它的答复。
known-restored = 这份日志是恢复或复制来的。此后发生的事不在其中。
doing-asking = 再次发送同一条消息，并查询它的答复。同一条消息绝不会执行两次。
doing-asking-until = 查询它的答复，直到 { $at }；在那之后，这条消息不可能再执行。
doing-ledger = 正在账本的区块中查找。
doing-ledger-at = 将于 { $at } 再次在账本的区块中查找。
doing-nothing = 不再做什么。我们能读到的，都不足以认定结果。
advice-wait = 什么也不用做。尤其不要现在就用其他方式付款。
advice-wait-until = 在 { $at } 之前什么也不用做。尤其不要用其他方式付款。
advice-again = 愿意的话可以再发送一次。这个账本会去重，不会付两次。
advice-settle = 向对方核实是否到账，然后在下方认定。

## 单笔调用

intent-none-title = 没有这个请求
intent-none = 它不在这个钱包的日志中。
intent-history = 经过
intent-answer = 容器的答复
intent-actions = 你可以做的
action-again = 让我决定是否再次发送
action-happened = 它发生了
action-did-not = 它没有发生
action-twice = 允许再次请求
action-sure-happened = 你认定对方已收到。钱包此后绝不会再发送它。
action-sure-did-not = 你认定它没有发生。网站之后可以重新请求。
action-sure-twice = 虽然这一笔可能已经执行，网站仍可重新请求。那样它可能会发生两次。
action-yes = 是，就这样认定
action-yes-twice = 是，可以发生两次
action-no = 保持现状

happened-prepared = 由网站准备
happened-asked = 网站请求发送
happened-asked-again = 网站请求再次发送
happened-approved = 你批准了
happened-declined = 你拒绝了
happened-lapsed = 你的批准未及时使用，已经失效；没有据此发送任何内容
happened-signed = 已签名并保存
happened-handed-over = 已交给网络
happened-answered = 经认证的答复
happened-never-ran = 已证明从未执行
happened-unclear = 答复证明不了任何事
looked-not-yet = 查找了账本的区块：不在其中，但仍可能出现
looked-no-rule = 没有规则说明如何在这个容器的区块中找到它
looked-no-answer = 查找了账本的区块：区块没有传来，或没有证书
looked-broken-chain = 查找了账本的区块：传来的区块与经认证的末端接不上
looked-rewritten = 查找了账本的区块：它们不是发送时已有的那些区块
looked-window-unknown = 查找了账本的区块：不在其中，且无从得知它还可能在多久之内出现
looked-too-many = 查找了账本的区块：此后新增的区块太多，来不及全部读完
looked-ambiguous = 查找了账本的区块：其中一个可能就是它，只是写法不同
happened-found = 在账本的区块中找到
happened-absent = 已证明不在账本的区块中
happened-told = 已告知网站
happened-expired = 时限已过
happened-superseded = 已被另一个请求取代
happened-settled = 由你认定

## 网络

networks-title = 网络
networks-lead = 识别网络靠的是根密钥，而不是地址或名称。一个账户只属于一个网络。
networks-builtin = 内置
networks-key = 根密钥（SHA-256）
networks-urls = 访问地址
networks-accounts = 账户
networks-dedup = 已知会去重的账本
networks-dedup-lead = 只有在这些账本上，没有答复的付款才可以再次发送。只添加你清楚其工作方式的账本；添错了，你可能会付两次。
networks-dedup-builtin = 主网的列表由钱包自带。
networks-dedup-none = 无。
networks-dedup-field = 账本的容器 id
networks-dedup-add = 添加账本
networks-dedup-remove = 移除 { $ledger }
networks-remove = 移除
networks-add-title = 添加网络
networks-add-lead = 我们只向它索取一次根密钥，并显示给你。此后，只有用这把密钥签名的答复才算数。
networks-url-field = 地址
networks-read = 读取根密钥
networks-reading = 正在读取 { $url } 的根密钥……
networks-read-title = 这是它的根密钥吗？
networks-read-lead = 请与运营该网络的人公布的内容核对。谁持有这把密钥，谁就决定钱包在那里相信什么。
networks-name-field = 你给它取的名称
networks-add = 添加网络
networks-known = 这是你已有的 { $name }。这个地址将成为访问它的另一条途径。
networks-add-url = 添加地址
networks-cancel = 取消
networks-fail-no-answer = { $url } 没有答复。
networks-fail-not-network = 在 { $url } 答复的不是 Internet Computer 网络。
networks-fail-bad-key = { $url } 给出的根密钥无效。
networks-fail-not-certified = { $url } 无法证明它持有自己的根密钥。
networks-try-again = 换一个地址

## 确认窗口

ask-asks = 发来请求
ask-adds = 由你为它添加
ask-since = 自 { $at } 起连接
ask-not-connected = 未连接
ask-done = { $n ->
    [0] 尚未执行过
   *[other] 已执行 { $n } 次
  }
ask-punycode = 这个名称用的字母与你在此读到的不同。请核实它是否是你以为的那个网站。
ask-says = 网站称
call-says = { $who }称
call-says-of = { $who }谈到
ask-queue = 第 { $nth } 个，共 { $of } 个
ask-queue-label = 等待中的请求：第 { $nth } 个，共 { $of } 个
ask-irreversible = 无法撤销
ask-to = 收款方
ask-spender = 支取方
ask-from = 转出账户
ask-call = { $method }，容器为
ask-fee = 手续费
ask-fee-by-ledger = 执行时由账本确定
ask-total = 合计
ask-total-about = 合计约
ask-sender = 所用账户
ask-balance-unread = 余额读取失败
ask-balance-short = 不足以支付
ask-arguments = 全部参数
ask-arguments-note = 易读形式，以及签名的原始形式
ask-named = 容器给它的名称
ask-pasted = 接口由你提供，而不是由容器提供。字节里没有名称，只有 # 后面的数字。
ask-no-arguments = 此调用没有参数。
ask-filled-wallet = 由钱包填写
ask-filled-canister = 由账本决定
ask-filled-nobody = 无
ask-bytes = 确切的字节
ask-bytes-note = { $method } 的 { $n } 个字节
consent-title = 容器的说法
consent-note = 原话，未经任何人核实
consent-agrees = 它所说的账户和金额与这个钱包解码的一致。
consent-nothing = 它的话无法与这个钱包解码的内容比对。签名的内容在上方。
consent-differs-title = 这不是所签名的内容
consent-differs = 签名的是这个钱包从确切字节解码的内容，见上方。
consent-party = 账户
consent-amount = 金额
consent-ours = 在此签名的：
consent-theirs = 容器说的：
consent-language = 它自称这段话所用的语言不是所请求的语言：
consent-refused = 容器没有描述此调用。它说：
consent-unreadable = 容器对此调用的描述无法读取，或者太长。
consent-late = 容器没有及时描述此调用。
consent-unanswered = 容器没有给出对此调用的经认证的描述。
consent-seconds = { $n } 秒
ask-proof = 以上内容的依据
ask-proof-pack = 用词与格式
ask-proof-pack-value = { $name }，内置
ask-proof-person-value = { $name }，你信任的描述文件
ask-proof-untagged = 没有描述文件：值只按类型显示
ask-proof-interface = 接口
ask-proof-pasted = 由你提供；容器没有公布接口
ask-proof-values = 手续费、小数位数、符号
ask-proof-certified = 由容器认证，{ $at }
ask-proof-module = 容器的代码
ask-canister = 容器
ask-network = 网络
ask-account = 你的账户
ask-digest = 此请求的摘要
ask-lost = 如果答复丢失
ask-lost-known = 在这里再次发送同样的内容是安全的：这个账本会去重。发送前会先问你。
ask-lost-known-until = 在这里再次发送同样的内容是安全的：这个账本在 { $at } 之前会去重。发送前会先问你。
ask-lost-claimed = 这个账本自称会去重，但在这个网络上没有人证实过。我们绝不会据此发送两次。如果答复丢失，再次付款之前请先查看账户的历史记录。
ask-lost-unstamped = 此调用中没有可供识别重复的内容。我们只发送一次；只有证明第一次从未执行，才会再次发送。
ask-until = 请在 { $at } 之前决定
ask-resend-title = 之前的尝试可能已经执行
ask-resend = { $sent ->
    [1] 它已于 { $at } 发送，没有答复能证明结果如何。
   *[other] 它已发送 { $sent } 次，首次在 { $at }，没有答复能证明结果如何。
  }
ask-resend-safe = 再次发送不会付两次：字节一位不差，而且这个账本会去重。
ask-resend-claimed = 如果这个账本并不像它声称的那样去重，再次发送可能会付两次。
ask-resend-no = 拒绝后不会再发送任何内容，但不会撤销之前的尝试。
ask-notice-lapsed = 你之前的批准没有用上
ask-lapse-late = 未能在两分钟内发送，因此不再算数。没有据此发送任何内容。
ask-lapse-locked = 发送之前钱包被锁定，因此不再算数。没有据此发送任何内容。
ask-lapse-restored = 这份日志是恢复或复制来的，因此不再算数。
ask-lapse-no-time = 网络没有给出经认证的时间，因此不再算数。没有据此发送任何内容。
ask-notice-changed = 你查看之后，有些内容变了
ask-notice-changed-lead = 什么也没有发送。不同之处列在这里；下面的全部内容都是现在的样子。
ask-changed-fee = 手续费
ask-changed-decimals = 小数位数
ask-changed-balance = 余额
ask-changed-module = 容器的代码
ask-changed-was = 原为
ask-changed-is = 现为
ask-changed-unread = 无法读取
risk-acknowledge = 我已核实
risk-possibly-paid-title = 这笔可能已经执行过
risk-possibly-paid = 你已于 { $at } 为 { $site } 批准过同样的请求，但不知道它是否已执行。如果已执行，这次就会执行第二次。
risk-possibly-paid-undated = 你曾为 { $site } 批准过同样的请求，但不知道它是否已执行。如果已执行，这次就会执行第二次。
risk-look-alike-title = 这个收款方与另一个账户相似
risk-look-alike = 它的开头和结尾与你付过款的或你自己的一个账户相同，但并不是同一个账户。你认识的那个是：
risk-from-text-title = 收款方来自他人的文字
risk-from-text = 这个地址出现在他人所写的备注、名称或消息中，网站通过这个钱包读到了它。请确认你确实要向它付款。
risk-maybe-text-title = 收款方可能来自他人的文字
risk-maybe-text = 这个网站通过这个钱包读到的他人文字中，地址多到钱包无法全部记住。请确认你确实要向这个账户付款。
risk-is-ledger-title = 收款方是账本或铸币容器
risk-is-ledger = 发送到账本的代币会丢失。发送到铸币容器的代币会被销毁。
risk-canister-differs-title = 容器的说法不同
risk-canister-differs = 容器描述的调用与这个钱包从字节解码的不同。两者都列在参数下方。如果你无法解释其中的差异，请拒绝。
risk-far-above-title = 远高于平常
risk-far-above = 这个网站在这个账本上的付款通常在 { $usual } 左右。这一笔至少是它的十倍。
risk-above-balance-title = 授权额度大于余额
risk-above-balance = 在此额度之内，支取方可以取走现有的全部余额，以及之后到账的款项。
risk-short = 余额不足以支付这次的花费：账本很可能不接受。
risk-most = 这会用掉余额的 { $percent }%。
risk-fee = 手续费约为金额的 { $percent }%。
risk-no-end = 这项授权额度没有期限：用完或撤销之前一直有效。
risk-paid-before = 你已于 { $at } 批准向同一收款方支付同样的金额，并且已经付出。
risk-pasted = 这个容器的接口由你粘贴。如果它有误，你在这里读到的也有误。
risk-hidden-why = 网站的话含有不可见的字符，这里以代码显示。
risk-hidden = 参数 { $path } 含有不可见的字符，这里以代码显示。
risk-mixed-why = 网站的话混用了不同文字的字母，它们可能看起来一样。
risk-mixed = 参数 { $path } 混用了不同文字的字母，它们可能看起来一样。
risk-first = 你以前没有向这个账户付过款。
risk-new-for-site = 你以前向这个账户付过款，但不是为这个网站。
risk-is-canister = 收款方是一个容器：它收到的代币只有它的代码能动用。
risk-last-same = 你已于 { $at } 为这个网站批准过这同一个调用。
risk-last-differs = 你已于 { $at } 为这个网站批准过类似的调用。不同之处在下面标出。
ask-last-time = 上次：
ask-last-empty = 上次：空
ask-working = 正在核对并发送……
ask-decline = 拒绝
ask-later = 稍后
ask-pay = 支付 { $amount }
ask-allow = 授权 { $amount }
ask-move = 转移 { $amount }
ask-pay-again = 再次发送 { $amount }
ask-do = 调用 { $method }
ask-do-again = 再次调用 { $method }
ask-wait-paint = 请稍候……
ask-wait-end = 请先读到末尾
ask-wait-acknowledge = 请先逐一勾选上方的警告
ask-wait-read = 正在读取账本认证的内容……
ask-wait-focus = 请先点击此窗口
ask-wait-time = 请稍候……
ask-come-back = 请把指针移开按钮，再移回来
ask-armed = 可以批准

## 调用的标题：英文与内置规则中的完全相同

title-send = 发送代币
title-send-to-identifier = 向账户标识符发送代币
title-send-from = 用授权额度发送代币
title-approve = 授权他人支取
title-revoke = 撤销授权额度
title-send-nft = 发送藏品集中的代币
title-send-nft-from = 凭授权发送藏品集中的代币
title-revoke-nft = 撤销对一枚代币的授权
title-revoke-collection = 撤销对藏品集的授权
title-credit-bitcoin = 将到账的比特币入账
title-withdraw-bitcoin = 从提取账户提取比特币
title-withdraw-bitcoin-from = 用授权额度提取比特币
title-withdraw-ether = 提取以太币
title-withdraw-erc20 = 提取以太坊代币
title-cycles = 将 cycles 转入容器
title-cycles-from = 用授权额度将 cycles 转入容器
title-canister-create = 创建容器
title-canister-create-from = 用授权额度创建容器
title-canister-start = 启动容器
title-canister-stop = 停止容器
title-canister-delete = 删除容器
title-canister-uninstall = 移除容器的代码和数据
title-vote = 对提案投票
title-follow-topic = 就一个主题跟随神经元
title-follow-topics = 就多个主题跟随神经元
title-follow-function = 就一项功能跟随神经元
title-neuron-configure = 更改神经元的设置
title-neuron-split = 拆分神经元
title-neuron-merge = 将神经元并入另一个
title-neuron-spawn = 用成熟度生成神经元
title-stake-maturity = 质押成熟度
title-neuron-disburse = 提取神经元中的代币
title-disburse-maturity = 提取成熟度
title-neuron-claim = 认领神经元或刷新其质押
title-neuron-refresh = 确认跟随并刷新投票权
title-neuron-permit = 允许一个主体使用神经元
title-neuron-unpermit = 收回神经元的权限

## 连接

connect-title = 请求连接
connect-title-person = 你为这个网站选择一个容器
connect-title-more = 请求更多权限
connect-lead = 它可以用这一个账户使用下列工具。每笔付款仍会问你。
connect-lead-person = 由你添加，网站并未请求。之后它可以用这一个账户使用下列工具。每笔付款仍会问你。
connect-account = 使用哪个账户
connect-account-new = 未授予其他网站
connect-account-used = 也已授予
connect-preset = 它可以做什么
preset-look = 查看
preset-look-note = 读取余额和手续费。不能发送任何内容。
preset-payments = 付款
preset-payments-note = 查看，并准备付款由你确认。
preset-all = 全部
preset-all-note = 这些容器提供的一切。凡是会引起改变的，都会问你。
preset-named = 它指定的
preset-named-note = 正是网站请求的那些工具。
connect-canisters = 容器
connect-no-canisters = 它没有指明任何容器：只能查询它自己的请求。
connect-canister-reading = 正在读取它经认证的接口……
connect-decimals = 小数位数
connect-fee = 手续费
connect-name = 自称
connect-standards = 标准
connect-interface = 接口
connect-methods = { $n } 个方法
connect-methods-pasted = { $n } 个方法，按你提供的接口
connect-module = 代码
connect-hashes = 接口与代码的哈希
connect-certified = 认证时间
connect-repeats = 重复的请求
connect-repeats-known = 会去重；在这个网络的列表上
connect-repeats-claimed = 自称会去重；不在这个网络的列表上
connect-repeats-unstamped = 不去重
connect-unread = 未纳入
connect-no-canister = { $network } 上没有这个容器。
connect-no-interface = 它没有公布接口，因此无从读懂对它的调用，除非你有接口的文本。
connect-bad-interface = 无法读取它的接口。
connect-no-answer = 网络没有答复。
connect-not-certified = 它的答复未能通过网络根密钥的验证。
connect-bad-values = 它的符号或小数位数不能安全地显示。
connect-tools = { $n } 个工具
connect-tools-read = 读取，不问你
connect-tools-prepare = 准备；不发送任何内容
connect-tools-commit = 请你决定是否发送
connect-tools-wallet = 关于它自己的请求
connect-tools-note = 点开一个，可读到模型所读的内容
connect-skipped = { $n } 个方法没有工具
connect-skipped-note = 及其原因
connect-block-reading = 仍在读取容器
connect-block-nothing = 它的容器一个也读不出来
connect-go = 连接
connect-go-person = 添加
connect-with = 使用

look-alike-title = 这不是 { $symbol }。
look-alike = 它只是自称与之相同。真正的 { $symbol } 是
pasted-used = 这个接口由你提供，容器对它不作任何保证。调用里只有每个名称的哈希，而另一个名称也可能有同样的哈希：写这段文本的人可以把收款人与退款人对调。
pasted-labels = { $n } 个名称及其哈希
pasted-same = 你粘贴的正是容器公布的接口。将使用公布的接口。
pasted-differs = 你粘贴的接口不是容器公布的那个，因此不予采用，将使用公布的接口。不同之处：
hand-title = 手动提供
hand-interface = 它的接口，Candid 文本
hand-interface-note = 只采用对它负责的人给你的接口。如果容器公布了接口，将使用公布的那个。
hand-interface-go = 使用此接口
hand-interface-back = 撤回此接口
hand-profile = 描述文件，JSON
hand-profile-note = 它说明容器的各个值是什么意思。
hand-profile-go = 添加此描述文件
hand-profile-back = 撤回

## 描述文件

profile-of-canister = 容器的描述文件
profile-of-site = 网站的描述文件
profile-of-person = 你的描述文件
profile-name = 它自称
profile-trusted = 你已信任
profile-narrows = 只起限制作用
profile-trusted-note = 你信任它。模型会读到它的标题和说明，它的格式会作为事实显示给你。
profile-narrows-note = 它可以限制填入的内容，它的话作为引文显示给你。除此之外都不算数，模型也读不到它的话。
profile-more = 它说了什么
profile-more-note = { $n ->
    [0] 信任与否都没有区别
   *[other] 以及信任它会带来的 { $n } 处改变
  }
profile-more-trusted = { $n ->
    [0] 它不改变什么
   *[other] { $n } 处改变
  }
profile-words = 它的原话
profile-changes = 如果你信任它，它还会改变这些
profile-changed = 它改变了这些
profile-never = 即使信任也不予采用
profile-problems = 它有什么问题
profile-whole = 整份文件
profile-further = 另有 { $n } 行未列出。
profile-trust-lead = 如果你信任它，模型会读到它的标题和说明，它的格式会作为事实显示给你：它说谎，你读到的就是谎言。至于调用何时可以再次发送、代币有几位小数，仍只以内置规则和经认证的答复为准。
profile-trust = 信任此描述文件
profile-untrust = 不再信任

## 容器

canisters-title = 容器
canisters-lead = 每个已连接的网站可以使用的容器。网站要更多时会自己请求；你也可以在这里为它添加。
canisters-none = 没有已连接的网站。网站会自己找到这个钱包，你之后授予它的会列在这里。
canisters-account = 使用账户
canisters-empty = 还没有容器。
canisters-tools = { $n ->
    [0] 没有工具
   *[other] { $n } 个工具
  }
canisters-pasted = 接口由你提供
canisters-withheld = 它在你接受之后发生了变化；在你重新看过之前，它不提供任何工具。
canisters-look = 查看它现在的样子
canisters-field = 要为 { $site } 添加的容器 id
canisters-add = 添加容器

## 设置

settings-title = 设置
settings-lead = 这些页面的显示方式。你签名的内容和告知网站的内容都不变。
settings-language = 语言
settings-language-browser = 跟随浏览器
settings-language-browser-note = 目前为 { $language }
settings-theme = 浅色或深色
settings-theme-system = 跟随系统
settings-theme-light = 浅色
settings-theme-dark = 深色

## 决定之后

done-approved = 已批准
done-connected = 已连接
done-declined = 已拒绝
done-declined-note = 什么也没有发送。
done-declined-resend-note = 没有再发送任何内容。之前的尝试仍可能已经执行；钱包会继续查明。
done-later = 留待稍后
done-later-note = 它在钱包中等待，直到你作出决定或时限已过。
done-connected-note = 网站现在可以使用它的工具。付款仍会问你。
done-sending-note = 你可以关闭此窗口；它会自行继续。
done-refused-note = 它已发送，但容器没有接受。原因会告知网站。
done-next = 下一个
done-next-from = 下一个：{ $site }
done-next-waiting = 还有 { $n } 个请求在等待
dead-title = 这个请求已结束
dead-expired = 你还没有决定，它的时限就过了。什么也没有发送。
dead-withdrawn = 网站撤回了它。什么也没有发送。
dead-elsewhere = 你已在另一个窗口中作出决定。
dead-changed = 容器已不是准备这个请求时的样子。什么也没有发送；网站必须重新准备。
dead-settled = 它没有再次尝试就有了结果。
dead-unknown = 钱包不再知道这个请求。
no-ask-title = 没有等待你的请求
no-ask = 网站发来请求时，会显示在这里。
