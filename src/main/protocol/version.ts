/** Of the product; equal to package.json (a test compares them). */
export const VERSION = '0.1.0';
/** The name the bridge contract gives the service; sockets carry it in `desktop.health`. */
export const BRIDGE_SERVICE = 'com.msgcode.desktop.bridge';
