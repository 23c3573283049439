/** The page's catalogues, without the messages that only the app, the command line, the demo and answers on the wire hold. */
export const NOT_FOR_PAGE = /^(?:app|cli|demo|connection|framing|gabp|next|remote)\./;

export function pageMessages() {
  return {
    name: 'page-messages',
    enforce: 'pre',
    transform(text, id) {
      if (!/\/src\/messages\/\w+\.json$/.test(id)) return null;
      const messages = Object.entries(JSON.parse(text)).filter(([code]) => !NOT_FOR_PAGE.test(code));
      return { code: JSON.stringify(Object.fromEntries(messages)), map: null };
    },
  };
}
