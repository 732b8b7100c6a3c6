// The settings page, and pages as they are in Chinese: home, an ask, a call, the lock.

import { until } from '../e2e/cdp.mjs';
import { PASSPHRASE } from '../e2e/person.mjs';
import { TKA } from '../e2e/stage.mjs';
import { armed, within } from './confirming.mjs';

export const SETTINGS = ['settings', 'settings-dark', 'settings-light', 'settings-chinese',
  'home-chinese', 'ask-chinese', 'call-chinese', 'networks-chinese', 'unlock-chinese'];

export async function settings({ stage, shoot }, shop) {
  const { person, proxy } = stage;
  proxy.down = false;
  const home = await person.opens();
  await home.press('button', 'Settings');
  await home.find('heading', 'Settings');
  await shoot('settings', home);
  // What is set goes before what the system says: dark on a light one, and light on a dark one.
  await home.press('radio', 'Dark');
  await themed(home, 'dark');
  await shoot('settings-dark', home, { schemes: ['light'] });
  await home.press('radio', 'Light');
  await themed(home, 'light');
  await shoot('settings-light', home, { schemes: ['dark'] });
  await home.press('radio', 'As the system');
  await themed(home, null);

  await home.press('radio', '简体中文');
  await home.find('heading', '设置');
  await shoot('settings-chinese', home);
  await home.press('button', '首页');
  await home.find('heading', '最近');
  await until(async () => !(await home.text()).includes('读取中……'), 'the balance');
  await shoot('home-chinese', home);

  await shop.hand.front();
  const lunch = await shop.prepared(TKA, '1.25 TKA', '午饭');
  const answer = shop.commit(lunch);
  const window = await person.window();
  const picture = within(shoot, window);
  await window.reads('→');
  await window.reads('容器的说法');
  await picture('ask-chinese', armed(/^支付/));
  await window.press('button', '拒绝');
  await person.gone();
  await answer;

  await home.front();
  await home.press('button', '活动');
  await home.find('heading', '活动');
  await home.press('button', /^3 TKA/);
  await home.find('heading', '经过');
  await shoot('call-chinese', home);
  await home.press('button', '网络');
  await home.find('heading', '网络');
  await shoot('networks-chinese', home);
  await home.press('button', '锁定');
  await home.find('button', '解锁');
  await shoot('unlock-chinese', home);
  await home.fill('密码短语', PASSPHRASE);
  await home.press('button', '解锁');
  await home.find('button', '设置');
}

/** Waits until the page is light or dark by what was set. */
const themed = (hand, theme) => until(() => hand.page.evaluate(theme =>
  document.documentElement.getAttribute('data-theme') === theme, theme), `the theme ${theme}`);
