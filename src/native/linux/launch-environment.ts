/** What an application needs to find the person's desktop, and to use their theme and language. */
const NAMES = new Set([
  'PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR',
  'DISPLAY', 'XAUTHORITY', 'WAYLAND_DISPLAY', 'DBUS_SESSION_BUS_ADDRESS', 'AT_SPI_BUS_ADDRESS', 'SESSION_MANAGER', 'SSH_AUTH_SOCK',
  'DESKTOP_SESSION', 'GNOME_DESKTOP_SESSION_ID', 'GNOME_SHELL_SESSION_MODE', 'KDE_FULL_SESSION', 'KDE_SESSION_VERSION', 'KDE_SESSION_UID', 'MATE_DESKTOP_SESSION_ID',
  'GTK_MODULES', 'GTK_IM_MODULE', 'GTK_THEME', 'GTK_A11Y', 'GTK_USE_PORTAL', 'GTK_CSD', 'GTK2_RC_FILES', 'GDK_BACKEND', 'GDK_SCALE', 'GDK_DPI_SCALE', 'GSK_RENDERER',
  'GSETTINGS_BACKEND', 'GIO_USE_VFS', 'NO_AT_BRIDGE', 'GNOME_ACCESSIBILITY', 'ACCESSIBILITY_ENABLED',
  'QT_ACCESSIBILITY', 'QT_LINUX_ACCESSIBILITY_ALWAYS_ON', 'QT_QPA_PLATFORM', 'QT_QPA_PLATFORMTHEME', 'QT_IM_MODULE', 'QT_STYLE_OVERRIDE', 'QT_SCALE_FACTOR', 'QT_SCREEN_SCALE_FACTORS',
  'QT_AUTO_SCREEN_SCALE_FACTOR', 'QT_ENABLE_HIGHDPI_SCALING', 'QT_FONT_DPI', 'PLASMA_USE_QT_SCALING', 'SAL_USE_VCLPLUGIN', 'MOZ_ENABLE_WAYLAND', 'ELECTRON_OZONE_PLATFORM_HINT',
  'XMODIFIERS', 'XCURSOR_THEME', 'XCURSOR_SIZE', 'LIBGL_ALWAYS_SOFTWARE', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH', 'GDK_PIXBUF_MODULE_FILE', 'GIO_EXTRA_MODULES', 'GTK_PATH', 'QT_PLUGIN_PATH',
]); // prettier-ignore
const NAME_PATTERN = /^(LC_[A-Z]+|XDG_[A-Z_]+)$/;

/** Secrets and other variables of the host are not passed on. */
export function launchEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const known = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (NAMES.has(entry[0]) || NAME_PATTERN.test(entry[0])),
  );
  return Object.fromEntries(known);
}
