// Opens a report in Debian's Chromium as its reader would, on a screen, on a phone and on paper.
//   node tests/browser/report.mjs REPORT.html RESULT.json OUTDIR
// It leaves wide.png, narrow.png and print.pdf in OUTDIR. CHROMIUM names another browser.
import {mkdirSync, mkdtempSync, readFileSync, rmSync, statSync} from "node:fs";
import {tmpdir} from "node:os";
import {join, resolve} from "node:path";
import {pathToFileURL} from "node:url";
import {chromium} from "playwright-core";

const [reportFile, resultFile, outDir] = process.argv.slice(2);
if (!outDir) {
  console.error("usage: node tests/browser/report.mjs REPORT.html RESULT.json OUTDIR");
  process.exit(2);
}

let passed = 0, failed = 0;
function check(what, ok, found = "") {
  ok ? ++passed : ++failed;
  if (!ok) console.error(`FAILED: ${what}${found === "" ? "" : ": " + found}`);
}

async function openBrowser(profile) {
  return chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    headless: true,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
           "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

// What a report must never do: complain, open a dialog, or ask for anything but itself.
function watch(page, url) {
  const complaints = [], requests = [], dialogs = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const own = request.url() === url || /^(data|blob):/.test(request.url());
    if (!own) requests.push(request.url());
  });
  page.on("dialog", (dialog) => { dialogs.push(dialog.message()); return dialog.dismiss(); });
  return () => {
    check("no error on the console", complaints.length === 0, complaints.join(" | "));
    check("no network request", requests.length === 0, requests.join(" "));
    check("no dialog", dialogs.length === 0, dialogs.join(" | "));
  };
}

// Scrolls through the page as a reader does, since far plots are drawn only when they come near.
async function scrollThrough(page) {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const kMostFrames = 600;  // ten seconds: a plot that is not drawn by then is said below
    for (const plot of document.querySelectorAll(".plot")) {
      plot.scrollIntoView();
      for (let i = 0; i < kMostFrames && !plot.querySelector(".main-svg"); ++i) await frame();
    }
    scrollTo(0, 0);
    await frame();
  });
}

async function checkPlots(page, where) {
  const settled = () => [...document.querySelectorAll(".plot")].every((plot) => {
    const svg = plot.querySelector("svg.main-svg");
    return svg && svg.getBoundingClientRect().width <= plot.getBoundingClientRect().width + 1;
  });
  await page.waitForFunction(settled, null, {timeout: 20000}).catch(() => {});  // what failed is said below
  const plots = await page.$$eval(".plot", (all) => all.map((plot) => {
    const svg = plot.querySelector("svg.main-svg");
    return {label: plot.getAttribute("aria-label"), traces: plot.querySelectorAll(".trace").length,
            width: svg ? svg.getBoundingClientRect().width : 0, room: plot.getBoundingClientRect().width};
  }));
  for (const plot of plots) {
    check(`${where}: plot "${plot.label}" is drawn`, plot.width > 100 && plot.traces > 0, JSON.stringify(plot));
    check(`${where}: plot "${plot.label}" fits`, plot.width <= plot.room + 1, JSON.stringify(plot));
  }
}

async function checkNumbers(page, result) {
  const shown = new Map(await page.$$eval("td[data-name]", (cells) =>
      cells.map((cell) => [cell.dataset.name, [cell.dataset.value, cell.textContent]])));
  const names = Object.keys(result.results);
  check("the table holds every result once", shown.size === names.length, `${shown.size} of ${names.length}`);
  for (const name of names) {
    const [exact, text] = shown.get(name) ?? ["missing", ""];
    check(`value of ${name}`, JSON.parse(exact === "missing" ? '"missing"' : exact) === result.results[name].value,
          `${exact} beside ${result.results[name].value}`);
    check(`${name} has a text`, /\d|nan|∞/.test(text), text);
  }
  const words = await page.$$eval(".verdict > header > .badge", (badges) => badges.map((one) => one.textContent));
  check("every verdict has its word", words.join() === result.verdicts.map((one) => one.verdict).join(), words.join());
}

async function checkWidth(page, width) {
  await page.setViewportSize({width, height: 900});
  await checkPlots(page, `at ${width}`);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check(`no horizontal scroll at ${width}`, overflow <= 0, `${overflow} pixels`);
  const cut = await page.$$eval(".box:has(.results)", (boxes) => boxes.map((box) => box.scrollWidth - box.clientWidth));
  check(`all of the results is visible at ${width}`, cut.every((pixels) => pixels <= 0), `${cut} pixels are not`);
}

async function checkInjection(page) {
  const foreign = await page.evaluate(() => {
    const scripts = [...document.scripts].filter((one) => one.type !== "application/json").length;
    return {scripts, images: document.querySelectorAll("img").length,
            links: document.querySelectorAll("svg a[*|href]").length};
  });
  check("no script but its own", foreign.scripts <= 2, foreign.scripts);
  check("no foreign image or link", foreign.images + foreign.links === 0, JSON.stringify(foreign));
}

async function run(context) {
  const url = pathToFileURL(resolve(reportFile)).href;
  const result = JSON.parse(readFileSync(resultFile, "utf8"));
  const page = context.pages()[0] ?? await context.newPage();
  page.setDefaultNavigationTimeout(180000);  // on a machine that compiles beside it
  const verify = watch(page, url);
  await page.setViewportSize({width: 1280, height: 900});
  await page.goto(url);
  await scrollThrough(page);
  await checkNumbers(page, result);
  await checkWidth(page, 1280);
  await page.screenshot({path: join(outDir, "wide.png"), fullPage: true});
  await checkWidth(page, 400);
  await page.screenshot({path: join(outDir, "narrow.png"), fullPage: true});
  await checkInjection(page);

  // A fresh page, unscrolled: printing itself must draw what has not been drawn.
  await page.setViewportSize({width: 1280, height: 900});
  await page.goto(url);
  const pdf = join(outDir, "print.pdf");
  await page.pdf({path: pdf, preferCSSPageSize: true, printBackground: true});
  check("prints to PDF", statSync(pdf).size > 5000, statSync(pdf).size);
  await checkPlots(page, "after printing");
  verify();
}

mkdirSync(outDir, {recursive: true});
const profile = mkdtempSync(join(tmpdir(), "tauhat-browser-"));
const context = await openBrowser(profile);
try {
  await run(context);
} catch (error) {
  check("the test runs to its end", false, error);
} finally {
  await context.close();
  rmSync(profile, {recursive: true, force: true});
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
