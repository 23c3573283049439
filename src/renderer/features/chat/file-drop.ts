/** Files dragged onto the page: a reply box accepts them; elsewhere they are refused, so that the browser does not open them. */
import { useEffect, useState, type DragEvent } from 'react';

export interface FileDrop {
  /** Files are held over it now. */
  over: boolean;
  handlers: {
    onDragEnter(event: DragEvent): void;
    onDragOver(event: DragEvent): void;
    onDragLeave(event: DragEvent): void;
    onDrop(event: DragEvent): void;
  };
}

/** `take` null: files are not taken here. */
export function useFileDrop(take: ((files: File[]) => void) | null): FileDrop {
  const [over, setOver] = useState(false);
  const held = (event: DragEvent) => {
    if (take === null || !hasFiles(event.dataTransfer)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    setOver(true);
  };
  return {
    over,
    handlers: {
      onDragEnter: held,
      onDragOver: held,
      onDragLeave(event) {
        const to = event.relatedTarget;
        if (!(to instanceof Node && event.currentTarget.contains(to))) setOver(false);
      },
      onDrop(event) {
        setOver(false);
        const files = [...event.dataTransfer.files];
        if (take === null || files.length === 0) return;
        event.preventDefault();
        take(files);
      },
    },
  };
}

/** Call once. A file dropped beside a reply would otherwise be opened in place of the page. */
export function usePreventStrayDrops(): void {
  useEffect(() => {
    const refuse = (event: globalThis.DragEvent) => {
      if (event.defaultPrevented || event.dataTransfer === null || !hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'none';
    };
    window.addEventListener('dragover', refuse);
    window.addEventListener('drop', refuse);
    return () => {
      window.removeEventListener('dragover', refuse);
      window.removeEventListener('drop', refuse);
    };
  }, []);
}

function hasFiles({ types }: DataTransfer): boolean {
  return types.includes('Files');
}
