const at = (file, test) => (name, from, to, fails) => ({ name, file: `src/${file}`, test: `test/${test}`, from, to, fails }); // prettier-ignore
const grants = at('main/approvals/grants.ts', 'approvals/forwarded-grants.test.ts');
const caller = at('main/agents/caller.ts', 'agents/caller.test.ts');
const filter = at('main/serve/admin.ts', 'serve/admin.test.ts');
const elsewhere = at('main/serve/admin.ts', 'serve/admin.test.ts');
const address = at('main/remote/address.ts', 'remote/address.test.ts');
const peer = at('native/peer/linux.ts', 'peer/forwarder.test.ts');

// prettier-ignore
export const REMOTE = [
  elsewhere('forwarded-tells-of-hosts', 'agent.via !== undefined || ', '', 'whoever SSH forwards tells nothing'),
  elsewhere('agent-gives-a-link', 'host.url !== null || ', '', 'it is named after its sender'),
  elsewhere('agent-gives-any-address', ' || !CLAIMED_ADDRESS.test(host.address)', '', 'of an agent'),
  elsewhere('agent-tells-as-the-person', '{ ...host, by: agent.name.slice(0, MAX_ELSEWHERE_BY) }', 'host', 'it is named after its sender'),
  grants('grant-crosses-machines', '    grant.agent.via !== agent.via ||\n', '', 'is not what a program of this machine was granted'),
  grants('grant-outlives-its-connection', 'agent.via === undefined || agent.startTime !== startTime', 'agent.startTime !== null', 'ends with the connection'),
  grants('forwarded-grant-on-disk', 'next.filter(outlivesConnection)', 'next', 'is never on disk'),
  grants('forwarded-grant-from-disk', '  if (!outlivesConnection(grant)) return false;\n', '', 'one in the file is none'),
  caller('shim-by-ssh-is-local', '[peer, starter].find(', '[peer].find(', 'takes a shim below a server of SSH'),
  caller('forwarded-names-count', "    executable: '',\n    script: null,\n    pid,", "    executable: '/usr/sbin/sshd',\n    script: null,\n    pid,", 'knows of what SSH forwards only its connection'),
  filter('desktop-for-what-ssh-forwards', '    if (agent.via !== undefined) return ({ startTime }) => startTime === agent.startTime;\n', '', 'what SSH forwards sees counts'),
  address('option-as-a-user', '(?:([A-Za-z0-9_][A-Za-z0-9_.-]{0,63})@)?', '(?:([A-Za-z0-9_.-]{0,63})@)?', 'ssh://-a@far'),
  peer('hidden-server-unnoticed', 'parentUid !== null && parentUid !== uid', 'false', 'is found in the process table'),
];
