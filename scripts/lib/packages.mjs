/** Debian and Ubuntu packages, as data. `desktop`: what the private virtual desktop needs. `test`: real applications and judges for tests and demo. */
export const PACKAGES = {
  desktop: ['xvfb', 'openbox', 'at-spi2-core', 'dbus-daemon', 'fonts-dejavu-core'],
  test: [
    'chromium',
    'galculator',
    'mousepad',
    'kcalc',
    'featherpad',
    'gtk-4-examples',
    'python3-gi',
    'gir1.2-gtk-3.0',
    'python3-pyqt5',
    'python3-pyatspi',
    'xdotool',
    'xclip',
    'xfce4-clipman',
    'wmctrl',
    'imagemagick',
    'x11-utils',
    'x11-xkb-utils',
    'procps',
  ],
};
