await page.waitForTimeout(500);
