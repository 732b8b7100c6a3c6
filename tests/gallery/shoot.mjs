// Pictures of every page in every state, light and dark, narrow and wide, for looking at:
//   node shoot.mjs <folder of a build> <folder for the pictures> [part of a name]
// Ends non-zero where a page complains, breaks its policy, or is wider than its window.
import { chromium } from "playwright-core";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { isConfirm, open, serve, views } from "./pages.mjs";

const [built, pictures, part = ""] = process.argv.slice(2);
const names = Object.keys(views).filter((name) => name.includes(part));
const SIZES = [
  { width: 360, height: 640 },
  { width: 760, height: 900 },
];

await mkdir(pictures, { recursive: true });
const { origin, stop } = await serve(built);
const browser = await chromium.launch({
  executablePath: process.env.COUNTERSIGN_CHROMIUM ?? "/usr/bin/chromium",
});
let faults = 0;
for (const name of names) {
  for (const colorScheme of ["light", "dark"]) {
    for (const viewport of SIZES) {
      const context = await browser.newContext({
        colorScheme,
        viewport,
        locale: "en-GB",
        timezoneId: "UTC",
      });
      const page = await context.newPage();
      const shot = `${name}-${viewport.width}-${colorScheme}`;
      const fault = (text) => {
        faults += 1;
        console.log(`${shot}: ${text}`);
      };
      page.on("pageerror", (error) => fault(error.message));
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) fault(message.text());
      });
      await open(page, origin, name);
      await page.locator("h1").first().waitFor({ state: "attached" });
      const wide = await page.evaluate(() => {
        const width = document.documentElement.clientWidth;
        return [...document.querySelectorAll("body *")]
          .filter((element) => element.getBoundingClientRect().right > width + 0.5)
          .map((element) => element.outerHTML.slice(0, 120));
      });
      if (wide.length > 0) fault(`wider than its window: ${wide[0]}`);
      // First as a person sees it, then whole.
      if (isConfirm(name)) await page.screenshot({ path: join(pictures, `${shot}-top.png`) });
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width: viewport.width, height });
      await page.screenshot({ path: join(pictures, `${shot}.png`) });
      await context.close();
    }
  }
}
await browser.close();
stop();
console.log(`${names.length} states, ${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;
