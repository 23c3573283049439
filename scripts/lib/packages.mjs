/** Debian and Ubuntu packages, as data. `desktop`: what the private virtual desktop needs. `test`: real applications, and tools that check them, for tests and demo. `optional`: what only some tests use, and go without. `ssh`: another machine, for tests. `debian`: what only Debian has. */
export const PACKAGES = {
  desktop: ['xvfb', 'openbox', 'at-spi2-core', 'dbus-daemon', 'fonts-dejavu-core'],
  test: [
    'chromium',
    'galculator',
    'mousepad',
    'kcalc',
    'featherpad',
    'gtk-4-examples',
    'thunar',
    'pcmanfm',
    'python3-gi',
    'gir1.2-gtk-3.0',
    'gir1.2-gtk-4.0',
    'python3-pyqt5',
    'python3-pyatspi',
    'xdotool',
    'xclip',
    'xfce4-clipman',
    'wmctrl',
    'imagemagick',
    'tesseract-ocr',
    'x11-utils',
    'x11-xkb-utils',
    'procps',
    'iproute2',
    'gcc',
    'libc6-dev',
    'gobjc',
    'libgnustep-base-dev',
  ],
  // Checks the sources of the addon for macOS; the tests of those are left out without it.
  optional: ['clang'],
  // Where systemd runs, installing it would also start an SSH server; those tests are left out without it.
  ssh: ['openssh-client', 'openssh-server'],
  // Half the processor time of a whole Chromium for the tests of the page.
  debian: ['chromium-headless-shell'],
};
