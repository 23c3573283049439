/** A test compares it with package.json. */
export const VERSION = '0.1.0';
/** The service name of the bridge contract, as `desktop.health` reports it. */
export const BRIDGE_SERVICE = 'com.msgcode.desktop.bridge';
