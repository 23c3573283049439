/** Draws the labels as an interface would show them, in Chromium, and tells where each of them is. */
import { execFileSync } from 'node:child_process';
import { chromium } from 'playwright';
import sharp from 'sharp';

const BROWSER = process.env.CHROMIUM ?? '/usr/bin/chromium';
const SIZES = [10, 11, 12, 13, 14, 16, 18, 24];
const FONTS = ['"DejaVu Sans"', '"DejaVu Sans"', '"Nimbus Sans", "DejaVu Sans"', '"DejaVu Serif"'];
const KINDS = ['item', 'button', 'plain', 'primary', 'field', 'muted', 'check', 'link', 'cell', 'badge', 'chosen'];
const WIDTH = 1280;

const THEMES = {
  light: { ground: '#ffffff', panel: '#f3f3f3', text: '#1e1e1e', muted: '#767676', line: '#c8c8c8', link: '#0645ad' },
  dark: { ground: '#1e1f22', panel: '#2b2d30', text: '#dfe1e5', muted: '#8a8d93', line: '#4e5157', link: '#6ea8fe' },
};

const style = ({ ground, panel, text, muted, line, link }) => `
  body { margin: 0; width: ${WIDTH}px; background: ${ground}; color: ${text}; }
  main { display: flex; flex-wrap: wrap; gap: 10px 18px; align-items: center; padding: 14px; }
  span { white-space: nowrap; line-height: 1.4; }
  .item { background: ${panel}; padding: 4px 10px; }
  .button { border: 1px solid ${line}; border-radius: 6px; padding: 4px 12px; background: ${panel}; }
  .primary { background: #0a6cff; color: #fff; border-radius: 6px; padding: 4px 12px; }
  .field { border: 1px solid ${line}; padding: 4px 8px; min-width: 90px; }
  .muted { color: ${muted}; }
  .check::before { content: ''; display: inline-block; width: 13px; height: 13px; border: 1px solid ${line}; margin-right: 8px; vertical-align: -2px; }
  .link { color: ${link}; text-decoration: underline; }
  .cell { border: 1px solid ${line}; border-width: 0 1px 1px 0; padding: 5px 9px; }
  .badge { background: #c93c37; color: #fff; border-radius: 10px; padding: 2px 8px; font-weight: bold; }
  .chosen { background: #35538f; color: #fff; padding: 4px 10px; }`;

const escaped = (text) => text.replace(/[&<>]/gu, (sign) => `&#${sign.codePointAt(0)};`);

function html({ labels, language }, theme, shift) {
  const spans = labels.map((label, index) => {
    const at = index + shift;
    const font = language === 'chi_sim' ? 'sans-serif' : FONTS[at % FONTS.length];
    return `<span class="${KINDS[at % KINDS.length]}" style='font: ${SIZES[at % SIZES.length]}px/1.4 ${font}'><q>${escaped(label)}</q></span>`;
  });
  return `<!doctype html><meta charset="utf-8"><style>q::before, q::after { content: '' }${style(THEMES[theme])}</style><main>${spans.join('')}</main>`;
}

/** Without a font that has the letters, Chinese is left out. */
function canDraw({ language }, env) {
  return language !== 'chi_sim' || execFileSync('fc-list', [':lang=zh-cn'], { encoding: 'utf8', env }) !== '';
}

/** Resolves pages: group, theme, `png`, `capture` and `truth`, the labels with their size and place in points. */
export async function drawPages(groups, scale = 1, env = process.env) {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: BROWSER, args, env });
  try {
    const page = await browser.newPage({ viewport: { width: WIDTH, height: 400 }, deviceScaleFactor: scale });
    const pages = [];
    for (const group of groups.filter((group) => canDraw(group, env)))
      for (const [shift, theme] of Object.keys(THEMES).entries())
        pages.push({ group, theme, ...(await draw(page, html(group, theme, shift * 3), scale)) });
    return pages;
  } finally {
    await browser.close();
  }
}

async function draw(page, content, scale) {
  await page.setContent(content);
  const truth = await page.$$eval('q', (all) =>
    all.map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      const size = Number.parseInt(getComputedStyle(one).fontSize, 10);
      return { text: one.textContent, size, kind: one.parentElement.className, frame: { x, y, width, height } };
    }),
  );
  const png = await page.screenshot({ fullPage: true });
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return { png, truth, capture: { width, height, rgb: new Uint8Array(data), origin: { x: 0, y: 0 }, scale } };
}
