/** All icons of the page, by name: our own mark, and icons of Lucide. */
import { createElement, type ReactNode } from 'react';
import {
  AppWindow,
  ArrowUp,
  Check,
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  CircleCheck,
  CircleMinus,
  CirclePlus,
  CircleQuestionMark,
  CircleX,
  Clock,
  Copy,
  ExternalLink,
  Eye,
  FileText,
  Folder,
  Hand,
  Image,
  Keyboard,
  Link,
  Lock,
  Maximize2,
  MessageSquare,
  MousePointerClick,
  Move,
  Pause,
  Play,
  RotateCw,
  Settings,
  Share,
  ShieldCheck,
  Square,
  SquareTerminal,
  TriangleAlert,
  Unplug,
  X,
  type IconNode,
} from 'lucide';

const MARK: IconNode = [
  ['path', { strokeWidth: 1.5, d: 'M2.75 10.5a7.25 7.25 0 0 1 14.5 0M10 3.25V1.75M8.4 8.9l6.6 2.6-2.9 1.1-1.2 3z' }],
];

const ICONS = {
  mark: MARK,
  eye: Eye,
  click: MousePointerClick,
  keyboard: Keyboard,
  share: Share,
  move: Move,
  alert: TriangleAlert,
  terminal: SquareTerminal,
  check: Check,
  x: X,
  stop: Square,
  pause: Pause,
  play: Play,
  hand: Hand,
  right: ChevronRight,
  down: ChevronDown,
  left: ChevronLeft,
  copy: Copy,
  up: ArrowUp,
  image: Image,
  window: AppWindow,
  folder: Folder,
  settings: Settings,
  external: ExternalLink,
  chat: MessageSquare,
  unplug: Unplug,
  shield: ShieldCheck,
  question: CircleQuestionMark,
  success: CircleCheck,
  failure: CircleX,
  clock: Clock,
  link: Link,
  lock: Lock,
  note: FileText,
  plus: CirclePlus,
  minus: CircleMinus,
  grow: Maximize2,
  refresh: RotateCw,
} satisfies Record<string, IconNode>;

export type IconName = keyof typeof ICONS;

export function Icon({ name, tone }: { name: IconName; tone?: string }): ReactNode {
  return (
    <svg
      className={tone === undefined ? 'i' : `i ${tone}`}
      viewBox={name === 'mark' ? '0 0 20 20' : '0 0 24 24'}
      aria-hidden="true"
    >
      {ICONS[name].map(([tag, attributes], index) => createElement(tag, { key: index, ...attributes }))}
    </svg>
  );
}
