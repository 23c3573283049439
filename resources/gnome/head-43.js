/* exported init */
/** The beginning of the extension for GNOME Shell 43: what it uses, and how the shell switches it on and off. `body.js` follows. */
const { Clutter, Gio, GLib, Meta, Shell } = imports.gi;
const Main = imports.ui.main;
const { getInputSourceManager } = imports.ui.status.keyboard;
const Config = imports.misc.config;
const SHELL_VERSION = Config.PACKAGE_VERSION;

function init() {
  const folder = imports.misc.extensionUtils.getCurrentExtension().path;
  let desktop = null;
  return {
    enable() {
      desktop = new ChaperoneDesktop(folder);
    },
    disable() {
      desktop.close();
      desktop = null;
    },
  };
}
