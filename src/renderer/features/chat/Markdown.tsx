/** An agent's message: Markdown without raw HTML, without remote images, with whole link addresses; it cannot draw the page's own parts. */
import { Component, memo, useState, type ReactElement, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { type AgentMessage, reveal } from '../../../main/protocol/index.js';
import { t } from '../../strings.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { MAX_PARSED_CHARS, PlainText } from './PlainText.js';

// Puts a label where a message holds characters that would act on the text around them.

/** The part of a HTML syntax tree this touches. */
interface TreeNode {
  type: string;
  value?: string;
  tagName?: string;
  properties?: Record<string, string>;
  children?: TreeNode[];
}

const MARKED = new Set(['control', 'bidi', 'zero_width']);

/** A rehype plugin. */
function markHidden(): (tree: TreeNode) => void {
  return visit;
}

function visit(node: TreeNode): void {
  if (node.children === undefined) return;
  node.children = node.children.flatMap((child) => {
    visit(child);
    return child.type === 'text' ? split(child) : [child];
  });
}

function split(node: TreeNode): TreeNode[] {
  const { segments } = reveal(node.value ?? '');
  if (!segments.some((segment) => MARKED.has(segment.kind) && segment.text !== '\t')) return [node];
  return segments.map((segment) => {
    if (!MARKED.has(segment.kind)) return { type: 'text', value: segment.text };
    const children = [{ type: 'text', value: segment.label }];
    return { type: 'element', tagName: 'span', properties: { className: 'hid' }, children };
  });
}

const HEADING = ({ children }: { children?: ReactNode }): ReactNode => (
  <p>
    <strong>{children}</strong>
  </p>
);

const COMPONENTS: Components = {
  h1: HEADING,
  h2: HEADING,
  h3: HEADING,
  h4: HEADING,
  h5: HEADING,
  h6: HEADING,
  a: ({ href, children }) => <Link href={href}>{children}</Link>,
  img: ({ src, alt }) => <ImageAddress src={src} alt={alt} />,
  input: ({ checked }) => <span>{checked === true ? '[x]' : '[ ]'}</span>,
  pre: ({ children }) => (
    <pre tabIndex={0} role="group">
      {children}
    </pre>
  ),
  table: ({ children }) => (
    <div className="table" tabIndex={0} role="group">
      <table>{children}</table>
    </div>
  ),
  section: ({ children }) => <div>{children}</div>,
};

/** Parsed before they are rendered. */
const prepared = new WeakMap<AgentMessage, ReactElement>();

/** Parses a message that will be rendered soon, so that its frame has less to do. */
export function prepareMarkdown(message: AgentMessage): void {
  if (message.text.length > MAX_PARSED_CHARS) return;
  try {
    prepared.set(message, parse(message.text));
  } catch {
    // It is shown as plain text when it is rendered.
  }
}

export const Markdown = memo(function Markdown({ message }: { message: AgentMessage }): ReactNode {
  const { text } = message;
  const [whole, setWhole] = useState(false);
  const cut = text.length > MAX_PARSED_CHARS && !whole;
  return (
    <div className="body md" dir="auto">
      <PlainOnFailure text={text}>
        <Parsed message={message} text={cut ? text.slice(0, MAX_PARSED_CHARS) : text} />
      </PlainOnFailure>
      {cut ? (
        <button type="button" className="lnk" onClick={() => setWhole(true)}>
          {t('page.chat.all', { count: text.length })}
        </button>
      ) : null}
    </div>
  );
});

function Parsed({ message, text }: { message: AgentMessage; text: string }): ReactNode {
  const parsed = prepared.get(message) ?? parse(text);
  // Rendered again it is parsed again: what is kept for thousands of messages would take too much memory.
  prepared.delete(message);
  return parsed;
}

function parse(text: string): ReactElement {
  return ReactMarkdown({
    children: text,
    remarkPlugins: [remarkGfm],
    rehypePlugins: [markHidden],
    components: COMPONENTS,
  });
}

/** Text first, then the address it really leads to; only web addresses are links. */
function Link({ href, children }: { href: string | undefined; children: ReactNode }): ReactNode {
  const address = webAddress(href);
  if (address === null) return <span>{children}</span>;
  const same = children === address || children === href;
  return (
    <>
      {same ? null : <>{children} </>}
      <a href={address} target="_blank" rel="noopener noreferrer">
        <RevealedText text={address} />
      </a>
    </>
  );
}

function ImageAddress({ src, alt }: { src: unknown; alt: string | undefined }): ReactNode {
  const address = typeof src === 'string' ? webAddress(src) : null;
  return (
    <span className="mut">
      {t('page.chat.image')} {alt === undefined || alt === '' ? null : <RevealedText text={alt} />}{' '}
      {address === null ? null : <RevealedText text={address} />}
    </span>
  );
}

/** The address as the browser would go to it, so that look-alike names show as what they are. */
function webAddress(href: string | undefined): string | null {
  if (href === undefined || !/^https?:/i.test(href)) return null;
  return URL.canParse(href) ? new URL(href).href : null;
}

/** A message no parser can take is shown as plain text. */
class PlainOnFailure extends Component<{ text: string; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return <PlainText text={this.props.text} />;
  }
}
