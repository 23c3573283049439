/** What the person would switch on for the app in Privacy & Security, for a hosted Mac whose databases of it may be written. */
const SYSTEM = '/Library/Application Support/com.apple.TCC/TCC.db';
const WHOLE = [
  'kTCCServiceAccessibility',
  'kTCCServicePostEvent',
  'kTCCServiceListenEvent',
  'kTCCServiceScreenCapture',
];
const CONTROLLED = ['com.apple.systemevents', 'com.apple.finder'];
const ALLOWED = 2;
const BY_THE_SYSTEM = 4;

const row = (service, bundle, indirect) =>
  'INSERT OR REPLACE INTO access (service, client, client_type, auth_value, auth_reason, auth_version, indirect_object_identifier_type, ' +
  `indirect_object_identifier, flags) VALUES ('${service}', '${bundle}', 0, ${ALLOWED}, ${BY_THE_SYSTEM}, 1, 0, '${indirect}', 0);`;

export const grants = (bundle, home) => [
  { file: SYSTEM, admin: true, sql: WHOLE.map((service) => row(service, bundle, 'UNUSED')).join('') },
  {
    file: `${home}${SYSTEM}`,
    admin: false,
    sql: CONTROLLED.map((other) => row('kTCCServiceAppleEvents', bundle, other)).join(''),
  },
];
