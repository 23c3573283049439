/** The texts of the demo agent, in the language of the page that started it. Markdown. */
import type { Language } from '../../../messages/index.js';

export interface DemoWords {
  hello: string;
  asksPretend: string;
  /** On a desktop where it uses an application. */
  asksReal: string;
  shall: string;
  begin: string;
  no: string;
  done: string;
  declined: string;
  /** Above the list of results. */
  that: string;
  picture: string;
  gotPicture(size: string): string;
  pointer: string;
  moved(place: string, checked: boolean): string;
  /** Only Chaperone's own windows are there. */
  nowhere: string;
  refused: { denied: string; timeout: string; policy: string; paused: string; stopped: string };
  opening(application: string): string;
  opened: string;
  using(application: string): string;
  changed(before: string, after: string, confirmed: boolean): string;
  /** The text that it types. */
  typed: string;
  noApplication: string;
  pretend: string;
  late: string;
  again: string;
  said(message: string): string;
  failed(why: string): string;
  /** `page`: address of the page that shows the two pictures. */
  evidence(folder: string, page: string | null): string;
  end: string;
}

const en: DemoWords = {
  hello:
    'I am the **demo** of Chaperone: a small script, no language model. You started me a moment ago, and nothing I get leaves this computer.',
  asksPretend:
    'I ask for two things that a coding agent asks for: a **picture of your screen**, then to **move the pointer** once. Nothing is clicked or typed. You decide each time, and No is a good answer.',
  asksReal:
    'I ask for three things that a coding agent asks for: a **picture of your screen**, to **open a small application**, and to **press or type something harmless** in it. You decide each time, and No is a good answer.',
  shall: 'Shall I begin?',
  begin: 'Begin',
  no: 'No',
  done: 'Done',
  declined:
    'Then I do nothing at all. An agent that hears No gets nothing, and cannot go around you.\n\nYou find me again in Settings, under the first steps.',
  that: 'That was all. What became of it:',
  picture: 'Picture of the screen',
  gotPicture: (size) => `I got one of ${size} pixels. I keep nothing of it.`,
  pointer: 'Moving the pointer',
  moved: (place, checked) =>
    `it is at ${place} now, ${checked ? 'and that was checked' : 'but that could not be checked'}.`,
  nowhere: 'I had nowhere to point at: over Chaperone itself an agent can do nothing.',
  refused: {
    denied: 'you said No, so I got nothing.',
    timeout: 'nobody answered in time, and that is a No as well.',
    policy: 'your policy never allows it, so you were not even asked.',
    paused: 'agents are paused, so I could not even ask.',
    stopped: 'it was stopped in the middle, because you took over.',
  },
  said: (message) => `You told me: “${message}”`,
  failed: (why) => `it did not work. ${why}`,
  opening: (application) => `Opening ${application}`,
  opened: 'it is open.',
  using: (application) => `Using ${application}`,
  changed: (before, after, confirmed) =>
    `before: ${before}; after: ${after}${confirmed ? ', and that was checked' : '; whether I did that could not be checked'}.`,
  typed: 'Hello from the demo.',
  noApplication: 'None of the small applications I know is installed here, so I moved the pointer instead.',
  pretend: 'There is no display here, so all of this happened on a pretend desktop.',
  late: 'Nobody answered my last request, and it has ended. Shall I ask again?',
  again: 'Ask again',
  evidence: (folder, page) => `Evidence: ${folder}${page === null ? '' : ` Before and after: ${page}`}`,
  end: 'All of it is under **Activity**: what you decided, and pictures of what was done. Now connect a real agent: it gets just as much, and no more.',
};

const de: DemoWords = {
  hello:
    'Ich bin die **Vorführung** von Chaperone: ein kleines Skript, kein Sprachmodell. Sie haben mich eben gestartet, und nichts, was ich bekomme, verlässt diesen Computer.',
  asksPretend:
    'Ich bitte um zwei Dinge, um die auch ein Coding-Agent bittet: ein **Bild Ihres Bildschirms** und dann, einmal den **Zeiger zu bewegen**. Nichts wird geklickt oder getippt. Sie entscheiden jedes Mal, und Nein ist eine gute Antwort.',
  asksReal:
    'Ich bitte um drei Dinge, um die auch ein Coding-Agent bittet: ein **Bild Ihres Bildschirms**, ein **kleines Programm zu öffnen** und darin **etwas Harmloses zu drücken oder zu tippen**. Sie entscheiden jedes Mal, und Nein ist eine gute Antwort.',
  shall: 'Soll ich anfangen?',
  begin: 'Anfangen',
  no: 'Nein',
  done: 'Fertig',
  declined:
    'Dann tue ich gar nichts. Ein Agent, der Nein hört, bekommt nichts und kommt an Ihnen nicht vorbei.\n\nSie finden mich in den Einstellungen wieder, bei den ersten Schritten.',
  that: 'Das war alles. Was daraus wurde:',
  picture: 'Bild des Bildschirms',
  gotPicture: (size) => `Ich bekam eines mit ${size} Pixeln. Ich behalte nichts davon.`,
  pointer: 'Zeiger bewegen',
  moved: (place, checked) =>
    `er ist jetzt bei ${place}, ${checked ? 'und das wurde geprüft' : 'aber das ließ sich nicht prüfen'}.`,
  nowhere: 'Es gab nichts, worauf ich zeigen konnte: Auf Chaperone selbst kann ein Agent nichts tun.',
  refused: {
    denied: 'Sie haben Nein gesagt, also bekam ich nichts.',
    timeout: 'Niemand hat rechtzeitig geantwortet, und auch das ist ein Nein.',
    policy: 'Ihre Regel erlaubt es nie, also wurden Sie gar nicht gefragt.',
    paused: 'Agenten sind pausiert, also konnte ich nicht einmal fragen.',
    stopped: 'Es wurde mittendrin beendet, weil Sie übernommen haben.',
  },
  said: (message) => `Sie schrieben dazu: „${message}“`,
  failed: (why) => `es hat nicht geklappt. ${why}`,
  opening: (application) => `${application} öffnen`,
  opened: 'es ist offen.',
  using: (application) => `${application} bedienen`,
  changed: (before, after, confirmed) =>
    `vorher: ${before}; nachher: ${after}${confirmed ? ', und das wurde geprüft' : '; ob ich das war, ließ sich nicht prüfen'}.`,
  typed: 'Hallo von der Vorführung.',
  noApplication:
    'Keines der kleinen Programme, die ich kenne, ist hier installiert; darum habe ich nur den Zeiger bewegt.',
  pretend: 'Hier gibt es keinen Bildschirm; darum geschah das alles auf einem nachgestellten Desktop.',
  late: 'Niemand hat auf meine letzte Anfrage geantwortet, und sie ist abgelaufen. Soll ich noch einmal fragen?',
  again: 'Noch einmal',
  evidence: (folder, page) => `Belege: ${folder}${page === null ? '' : ` Vorher und nachher: ${page}`}`,
  end: 'Alles steht unter **Verlauf**: was Sie entschieden haben, und Bilder von dem, was getan wurde. Verbinden Sie nun einen richtigen Agenten: Er bekommt genauso viel, und nicht mehr.',
};

const zh: DemoWords = {
  hello:
    '我是 Chaperone 的**演示程序**：一个小脚本，没有语言模型。您刚刚启动了我，我得到的任何内容都不会离开这台电脑。',
  asksPretend:
    '我会像编程智能体那样请求两件事：先要一张**屏幕图片**，再**移动一次指针**。不会点击，也不会输入。每次都由您决定，回答“不”也很好。',
  asksReal:
    '我会像编程智能体那样请求三件事：先要一张**屏幕图片**，再**打开一个小应用**，然后在其中**按一个键或输入一点无害的文字**。每次都由您决定，回答“不”也很好。',
  shall: '可以开始吗？',
  begin: '开始',
  no: '不',
  done: '完成',
  declined: '那我什么都不做。智能体听到“不”就什么也得不到，也绕不过您。\n\n您可以在“设置”的入门步骤里再次找到我。',
  that: '就是这些。结果如下：',
  picture: '屏幕图片',
  gotPicture: (size) => `我得到了一张 ${size} 像素的图片，什么也不会保留。`,
  pointer: '移动指针',
  moved: (place, checked) => `指针现在位于 ${place}，${checked ? '已经核实' : '但无法核实'}。`,
  nowhere: '没有可以指向的地方：在 Chaperone 自己上面，智能体什么也做不了。',
  refused: {
    denied: '您说了“不”，所以我什么也没得到。',
    timeout: '没有人及时回答，这也等于“不”。',
    policy: '您的策略从不允许，所以根本没有问您。',
    paused: '智能体已暂停，所以我连问都不能问。',
    stopped: '您接管了桌面，所以中途停止了。',
  },
  said: (message) => `您说：“${message}”`,
  failed: (why) => `没有成功。${why}`,
  opening: (application) => `打开 ${application}`,
  opened: '已经打开。',
  using: (application) => `使用 ${application}`,
  changed: (before, after, confirmed) =>
    `之前：${before}；之后：${after}${confirmed ? '，已经核实' : '；无法核实是否由我造成'}。`,
  typed: '来自演示程序的问候。',
  noApplication: '这里没有安装我认识的小应用，所以我只移动了指针。',
  pretend: '这里没有显示器，所以这一切都发生在模拟桌面上。',
  late: '没有人回答我的上一个请求，它已经结束。要再问一次吗？',
  again: '再问一次',
  evidence: (folder, page) => `证据：${folder}${page === null ? '' : ` 前后对比：${page}`}`,
  end: '这一切都在**动态**里：您的决定，以及所做之事的图片。现在连接一个真正的智能体吧：它得到的一样多，不会更多。',
};

export const DEMO_WORDS: Readonly<Record<Language, DemoWords>> = { en, de, zh };
