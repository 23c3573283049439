/** Puts what the first view needs into index.html: its styles, and the script that chooses light or dark before anything is shown. The host's CSP names both by their hashes (src/main/serve/page/headers.ts). The page's code comes after what is shown first. */
import { build } from 'vite';

const CODE = /<script type="module"[^>]*><\/script>\s*/g;
const STYLES = /<link rel="stylesheet"[^>]*href="\.\/([^"]*)">/;

/** A vite plugin. @param {string} first path of that script */
export function pageHead(first) {
  return {
    name: 'chaperone-page-head',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle }) {
        const code = html.match(CODE) ?? [];
        const [link, file] = STYLES.exec(html) ?? [];
        const styles = bundle[file];
        if (styles === undefined || code.length === 0) throw new Error('The page has no styles, or no code.');
        delete bundle[file];
        const script = `<script>${inlined(await bundled(first), 'script')}</script>`;
        const style = `<style>${inlined(String(styles.source), 'style')}</style>`;
        return html
          .replace(CODE, '')
          .replace(link, () => script + style)
          .replace('</body>', `  ${code.map((one) => one.trim()).join('\n    ')}\n  </body>`);
      },
    },
  };
}

async function bundled(entry) {
  const lib = { entry, formats: ['iife'], name: 'first', fileName: 'first' };
  const built = await build({ configFile: false, logLevel: 'warn', build: { write: false, target: 'es2023', lib } });
  const chunks = [built].flat().flatMap(({ output }) => output);
  if (chunks.length !== 1) throw new Error(`${entry} is built into ${chunks.length} files.`);
  return chunks[0].code.trim();
}

/** Text that ends the element early would be markup. */
function inlined(text, tag) {
  if (new RegExp(`</${tag}`, 'i').test(text)) throw new Error(`The first view's ${tag} holds its own end.`);
  return text;
}
