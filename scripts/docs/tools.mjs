/** The tools as the tables have them and as agents receive them, without a running host, and what their list costs a model. */

export function toolsOf(allTools) {
  const unused = refuses('the tables of tools');
  return allTools(new Proxy({}, { get: () => unused }));
}

/** Stands where a table only passes something on; whoever looks into it is told. */
export function refuses(what) {
  const refuse = () => {
    throw new Error(`${what} needed what only a running host has`);
  };
  return new Proxy(refuse, { get: refuse, apply: refuse });
}

/** What the shim answers to tools/list. `product`: {allTools, describeTool, mcpDescriptor, publish}. */
export function published({ allTools, describeTool, mcpDescriptor, publish }, profile) {
  const tools = toolsOf(allTools).filter(({ core }) => core || profile === 'full');
  return publish({ tools: tools.map(describeTool).map(mcpDescriptor) });
}

/** As rough as every such count: four characters a token, all fields counted. `each` is heaviest first. */
export function weights(list) {
  const tokens = (value) => Math.round(JSON.stringify(value).length / 4);
  const each = list.map((tool) => ({ name: tool.name, tokens: tokens(tool) })).sort((a, b) => b.tokens - a.tokens);
  return { total: tokens(list), each };
}
