/** The tools as in docs/reference and as agents get them, without a running host, and the size of their list in tokens. */

export function toolsOf(allTools) {
  const unused = unusable('the tables of tools');
  return allTools(new Proxy({}, { get: () => unused }));
}

/** A dependency that may be passed on but not used: every access throws. */
export function unusable(what) {
  const fail = () => {
    throw new Error(`${what} needed what only a running host has`);
  };
  return new Proxy(fail, { get: fail, apply: fail });
}

/** What an agent is answered to tools/list. `product`: {allTools, describeTool, publish}. */
export function published({ allTools, describeTool, publish }, profile) {
  const tools = toolsOf(allTools).filter(({ core }) => core || profile === 'full');
  return publish(tools.map(describeTool));
}

/** A rough count: four characters a token, all fields. `each` is sorted by size, largest first. */
export function weights(list) {
  const tokens = (value) => Math.round(JSON.stringify(value).length / 4);
  const each = list.map((tool) => ({ name: tool.name, tokens: tokens(tool) })).sort((a, b) => b.tokens - a.tokens);
  return { total: tokens(list), each };
}
