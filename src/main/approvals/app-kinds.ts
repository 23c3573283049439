/**
 * Applications in which an `always` would give more than the application. Data only. Compared in lower case with the
 * bundle id, desktop-file id or WM class, with the last part of a dotted id, and with the name; `*` at the end matches any rest.
 */
const TERMINALS: readonly string[] = [
  'terminal', 'com.apple.terminal', 'com.googlecode.iterm2', 'iterm2', 'iterm', 'dev.warp.*', 'warp', 'net.kovidgoyal.kitty', 'kitty', 'alacritty',
  'org.alacritty', 'com.mitchellh.ghostty', 'ghostty', 'co.zeit.hyper', 'hyper', 'com.github.wez.wezterm', 'org.wezfurlong.wezterm', 'wezterm*', 'tabby', 'rio',
  'xterm', 'uxterm', 'urxvt', 'rxvt*', 'st', 'st-256color', 'aterm', 'eterm', 'gnome-terminal*', 'org.gnome.terminal', 'org.gnome.console', 'kgx', 'org.gnome.ptyxis*',
  'ptyxis', 'konsole', 'org.kde.konsole', 'org.kde.yakuake', 'yakuake', 'guake', 'tilda', 'tilix', 'com.gexperts.tilix', 'terminator', 'xfce4-terminal',
  'lxterminal', 'qterminal', 'mate-terminal', 'deepin-terminal', 'io.elementary.terminal', 'foot', 'footclient', 'cool-retro-term', 'sakura', 'terminology', 'blackbox',
  'com.raggesilver.blackbox', 'com.system76.cosmicterm', 'cosmic-term', 'x-terminal-emulator', 'stterm', 'mlterm', 'pterm', 'roxterm', 'termit', 'lilyterm', 'tym', 'zutty', 'contour', 'dev.commandline.waveterm',
  'waveterm', 'wave', 'termius*', 'extraterm', 'pantheon-terminal', 'deepin-terminal*', 'putty', 'lomiri-terminal*',
]; // prettier-ignore

const IDES: readonly string[] = [
  'com.microsoft.vscode*', 'com.visualstudio.code*', 'code', 'code-*', 'code - *', 'visual studio code*', 'vscodium', 'codium', 'com.vscodium*', 'com.todesktop.230313mzl4w4u92', 'cursor',
  'com.exafunction.windsurf', 'windsurf', 'dev.zed.*', 'zed*', 'com.apple.dt.xcode', 'xcode', 'com.apple.scripteditor2', 'com.apple.automator', 'script editor', 'automator',
  'com.apple.shortcuts', 'shortcuts', 'com.jetbrains.*', 'jetbrains-*', 'com.google.android.studio*', 'android studio*', 'com.sublimetext.*', 'sublime_text', 'sublime text',
  'org.gnome.builder', 'gnome-builder', 'org.kde.kdevelop', 'kdevelop', 'org.kde.kate', 'kate', 'emacs*', 'org.gnu.emacs', 'gvim', 'nvim*', 'neovim*', 'neovide', 'org.vim.macvim', 'macvim',
  'eclipse', 'org.eclipse.*', 'netbeans*', 'geany', 'spyder', 'rstudio*', 'jupyterlab*', 'org.jupyter.*', 'theia*', 'idle', 'thonny',
  'antigravity*', 'com.google.antigravity*', 'kiro*', 'dev.kiro.*', 'trae*', 'com.trae.*', 'positron*', 'lapce*', 'dev.lapce.*', 'qtcreator*', 'org.qt-project.qtcreator', 'codeblocks', 'arduino-ide', 'arduino ide',
  'pulsar', 'atom', 'lite-xl', 'octave*', 'org.octave.octave', 'matlab*', 'drracket',
]; // prettier-ignore

const LAUNCHERS: readonly string[] = [
  'com.apple.spotlight', 'spotlight', 'com.apple.dock', 'dock', 'com.raycast.macos', 'raycast', 'com.runningwithcrayons.alfred*', 'alfred*', 'at.obdev.launchbar', 'launchbar',
  'com.apple.launchpad.launcher', 'launchpad', 'com.apple.systemuiserver', 'com.apple.controlcenter', 'com.apple.notificationcenterui', 'com.apple.loginwindow', 'com.apple.securityagent',
  'org.kde.krunner', 'krunner', 'org.kde.plasmashell', 'plasmashell', 'gnome-shell', 'org.gnome.shell', 'ulauncher', 'rofi', 'dmenu', 'wofi', 'fuzzel', 'albert', 'synapse', 'kupfer',
  'xfce4-panel', 'xfce4-appfinder', 'xfrun4', 'lxpanel', 'mate-panel', 'cinnamon', 'polybar', 'waybar', 'tint2', 'desktop_window', 'xfdesktop',
  'anyrun', 'tofi', 'bemenu*', 'walker', 'vicinae*', 'sherlock', 'onagre', 'jgmenu', 'plank', 'cairo-dock', 'budgie-panel', 'cosmic-launcher', 'cosmic-app-library', 'com.system76.cosmiclauncher',
]; // prettier-ignore

const FILE_MANAGERS: readonly string[] = [
  'com.apple.finder', 'finder', 'com.cocoatech.pathfinder', 'path finder', 'com.binarynights.forklift*', 'forklift*', 'org.gnome.nautilus', 'nautilus', 'files', 'org.kde.dolphin', 'dolphin',
  'thunar', 'nemo', 'caja', 'pcmanfm*', 'spacefm', 'krusader', 'org.kde.krusader', 'doublecmd', 'double commander', 'io.elementary.files', 'pantheon-files', 'xfe', 'ranger',
]; // prettier-ignore

const SECRETS: readonly string[] = [
  'com.1password.*', 'com.agilebits.*', '1password*', 'com.bitwarden.desktop', 'bitwarden', 'org.keepassxc.keepassxc', 'keepassxc', 'keepass*', 'com.lastpass.*', 'lastpass*', 'com.dashlane.*', 'dashlane*',
  'com.apple.passwords', 'passwords', 'com.apple.keychainaccess', 'keychain access', 'org.gnome.seahorse.application', 'org.gnome.seahorse', 'seahorse', 'org.kde.kwalletmanager*', 'kwalletmanager*',
  'org.gnome.world.secrets', 'proton pass', 'me.proton.pass.*', 'in.sinew.enpass*', 'enpass*', 'pinentry*', 'gcr-prompter', 'polkit*', 'enteauth', 'com.authy.*', 'authy*',
]; // prettier-ignore

const SETTINGS: readonly string[] = [
  'com.apple.systempreferences', 'com.apple.systemsettings*', 'system settings', 'system preferences', 'com.apple.installer', 'com.apple.diskutility', 'com.apple.activitymonitor', 'com.apple.migrateassistant',
  'gnome-control-center', 'org.gnome.settings', 'org.gnome.tweaks', 'org.kde.systemsettings', 'systemsettings*', 'xfce4-settings*', 'cinnamon-settings*', 'mate-control-center', 'io.elementary.switchboard',
  'pavucontrol', 'gparted', 'org.gnome.diskutility', 'gnome-disks', 'nm-connection-editor', 'blueman-manager', 'org.gnome.software', 'gnome-software', 'org.kde.discover', 'plasma-discover',
  'synaptic', 'dconf-editor', 'ca.desrt.dconf-editor', 'virt-manager', 'gnome-system-monitor', 'org.gnome.systemmonitor', 'ksysguard',
]; // prettier-ignore

const OURS: readonly string[] = ['dev.chaperone.app', 'chaperone', 'dev.chaperone.*'];

/** Kinds of application that never get an `always`. */
export const NEVER_ALWAYS: ReadonlyMap<string, readonly string[]> = new Map([
  ['terminal', TERMINALS],
  ['IDE', IDES],
  ['launcher', LAUNCHERS],
  ['file manager', FILE_MANAGERS],
  ['password manager', SECRETS],
  ['system settings', SETTINGS],
  ['Chaperone itself', OURS],
]);

/** Grants in these cover one web origin only. */
export const BROWSERS: readonly string[] = [
  'com.apple.safari*', 'safari*', 'com.google.chrome*', 'google-chrome*', 'google chrome*', 'chrome', 'org.chromium.*', 'chromium*', 'org.mozilla.*', 'firefox*', 'navigator', 'librewolf*', 'io.gitlab.librewolf*',
  'com.brave.browser*', 'brave*', 'com.microsoft.edge*', 'microsoft-edge*', 'microsoft edge*', 'com.operasoftware.*', 'opera*', 'com.vivaldi.*', 'vivaldi*', 'company.thebrowser.*', 'arc', 'dia',
  'com.kagi.kagimacos*', 'orion*', 'com.duckduckgo.*', 'duckduckgo*', 'app.zen-browser.*', 'zen', 'zen-*', 'zen browser*', 'net.waterfox.*', 'waterfox*', 'tor browser*', 'torbrowser*', 'org.torproject.*', 'mullvad*',
  'org.gnome.epiphany*', 'epiphany*', 'falkon', 'org.kde.falkon', 'konqueror', 'org.kde.konqueror', 'qutebrowser', 'org.qutebrowser.*', 'midori*', 'org.gnome.web', 'seamonkey*', 'palemoon*', 'surf', 'min', 'comet', 'ai.perplexity.comet',
  'floorp*', 'one.ablaze.floorp*', 'thorium*', 'yandex*', 'ru.yandex.*', 'icecat*', 'iceweasel*', 'ladybird*', 'nyxt', 'luakit', 'basilisk*', 'naver-whale*', 'com.naver.whale*', 'whale', 'helium*', 'net.imput.helium*',
  'com.openai.atlas*', 'chatgpt atlas*', 'cromite*', 'vieb', 'maxthon*',
]; // prettier-ignore

/** Programs that run scripts: `always` for one of them, without its script, would cover everything it runs. */
export const INTERPRETERS: readonly string[] = [
  'node*', 'bun', 'deno', 'python*', 'pypy*', 'ruby*', 'perl*', 'php*', 'lua*', 'java', 'dotnet', 'mono', 'osascript', 'electron*', 'tclsh*', 'guile*', 'r', 'rscript', 'julia', 'env', 'npx', 'uvx', 'sudo',
  'bash', 'sh', 'dash', 'zsh', 'fish', 'ksh*', 'csh', 'tcsh', 'pwsh*', 'powershell*', 'nu', 'elvish', 'xonsh', 'busybox', 'cmd.exe',
]; // prettier-ignore

/** Whether one of the names is in one of the tables. */
export const isOneOf = (tables: ReadonlyMap<string, readonly string[]>, names: readonly string[]): boolean =>
  [...tables.values()].some((table) => isListed(table, ...names));

export function isListed(table: readonly string[], ...names: string[]): boolean {
  const plain = names.map((name) =>
    name
      .trim()
      .toLowerCase()
      .replace(/\.(desktop|app)$/, ''),
  );
  const all = plain.flatMap((name) => [name, name.slice(name.lastIndexOf('.') + 1)]).filter((name) => name !== '');
  return table.some((entry) =>
    all.some((name) => (entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : name === entry)),
  );
}
