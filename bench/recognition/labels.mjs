/** What interfaces say: about 300 words, by group. A label is what stands together; words are parted by spaces. */

const lines = (text) => text.trim().split(/\s*\n\s*/u);

export const GROUPS = [
  {
    name: 'English',
    language: 'eng',
    labels: lines(`
      File
      Edit
      View
      Go
      Tools
      Help
      OK
      Cancel
      Apply
      Save as…
      Open recent
      New folder
      Add to favourites
      Remove from list
      Sign in
      Log out
      Forgot your password?
      Create account
      Send invitation
      Delete permanently
      Don't ask again
      Move to Trash
      Search in mailbox
      No results
      Unread only
      Mark all as read
      Reply to everyone
      Archive
      Settings
      Privacy & security
      Notifications
      Appearance
      Keyboard shortcuts
      Check for updates
      Restart now
      Remind me later
      Wi-Fi
      Bluetooth
      Battery
      Sound
      Low power mode
      Screen brightness
      Invoice total
      Payment method
      Billing address
      Shipping
      Quantity
      Unit price
      Amount due
      Pay now
      Export to spreadsheet
      Last modified
      Owner
      Shared with you
      Comments
      Version history
      Untitled document
      Page layout
      Insert image
      Zoom in
      Full screen
      Undo typing
      Select all
      Find and replace
      Word count
      Ready
      Connected
      Waiting for network
      Could not save changes
      Try again
    `),
  },
  {
    name: 'Figures and code',
    language: 'eng',
    labels: lines(`
      12:45
      3 of 27
      100%
      $1,249.00
      -48.5
      2026-03-14
      14 Mar 2026
      192.168.0.17
      v2.10.3
      8.4 MB
      1920×1080
      #1047
      (9)
      a1b2c3d
      anna.keller@example.org
      https://example.com/login
      /usr/local/bin
      ~/Documents/report.pdf
      README.md
      package.json
      config.yaml
      const total = 0;
      return items[0];
      if (x > 10)
      npm run build
      git push origin main
      user_name
      maxRetries
      HTTP 404
      UTF-8
      Ctrl+Shift+P
      F11
      localhost:8080
      +1 555 0143
      IBAN GB29 0000
      Q4 2025
      75 km/h
      Row 964
      7
      0
    `),
  },
  {
    name: 'German',
    language: 'deu',
    labels: lines(`
      Datei öffnen
      Schließen
      Übernehmen
      Zurück
      Löschen
      Größe ändern
      Einstellungen
      Gerät hinzufügen
      Schlüsselwörter
      Über dieses Programm
      Verfügbare Aktualisierungen
      Benutzerkonto
      Passwort vergessen?
      Groß- und Kleinschreibung
      Öffentlicher Schlüssel
      Für alle übernehmen
      Straße und Hausnummer
      Empfänger
      Anhänge
      Später erinnern
      Kürzlich verwendet
      Ungültige Eingabe
      Prüfen
      Bestätigen
      Rückgängig
      Überschrift
      Zeilenabstand
      Lautstärke
      Töne
      Märkte
      Jährlich
      Gebühr
      Überweisung
      Rechnung
      Menü
      Tastaturkürzel
      Speichern unter
      Abbrechen
      Wähle ein Gerät
      Müll leeren
    `),
  },
  {
    name: 'Chinese',
    language: 'chi_sim',
    labels: lines(`
      文件
      编辑
      查看
      帮助
      设置
      打开
      保存
      取消
      确定
      删除
      复制
      粘贴
      撤销
      关闭窗口
      新建文件夹
      搜索
      登录
      退出登录
      忘记密码
      注册账号
      发送邮件
      收件人
      主题
      附件
      日期
      价格
      数量
      合计金额
      付款方式
      下一步
      上一步
      完成
      正在连接网络
      无法保存更改
      重新启动
      检查更新
      隐私与安全
      键盘快捷键
      显示全部
      共享给我
      最近使用
      语言和地区
      声音
      电池
      屏幕亮度
    `),
  },
];
