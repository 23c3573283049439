/** Lets the browser fetch the page's code together with its first script, and show nothing before that has chosen light or dark. */
const FIRST = /<script type="module"/;

/** A vite plugin. @param {string} name of the chunk that the first script imports */
export function pageHead(name) {
  return {
    name: 'chaperone-page-head',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const chunk = Object.values(bundle).find((one) => one.type === 'chunk' && one.name === name);
        if (chunk === undefined || !FIRST.test(html))
          throw new Error(`The page has no chunk ${name}, or no first script.`);
        return {
          html: html.replace(FIRST, '<script type="module" blocking="render"'),
          tags: [
            {
              tag: 'link',
              attrs: { rel: 'modulepreload', crossorigin: true, href: `./${chunk.fileName}` },
              injectTo: 'head',
            },
          ],
        };
      },
    },
  };
}
