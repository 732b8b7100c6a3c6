chrome.runtime.sendMessage('x');
