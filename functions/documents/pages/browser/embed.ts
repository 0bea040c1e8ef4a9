// For pages of other sites: it is served as embed.js, imports nothing and leaves nothing behind.

/** What happened in the frame. `code` is of the platform's errors, or the name of a problem in the browser. */
export type SigningEvent = {
  readonly type: 'ready' | 'signed' | 'approved' | 'refused' | 'placed' | 'failed' | 'closed';
  readonly documentId?: string;
  /** Of a marks session. */
  readonly sessionId?: string;
  /** Of `ready`, where the person had done their part before. */
  readonly outcome?: 'signed' | 'approved' | 'refused';
  readonly code?: string;
};

type Options = {
  /** Where the page is shown. Without it a dialog with a button to close it. */
  readonly container?: HTMLElement;
  readonly onEvent?: (event: SigningEvent) => void;
  /** The name of the frame for screen readers, and of the button. */
  readonly title?: string;
  readonly closeLabel?: string;
};

const TYPES: readonly string[] = ['ready', 'signed', 'approved', 'refused', 'placed', 'failed'];

/**
 * Shows the signing page of an `embedUrl` in a frame, or that of a marks session, and tells what happens in it.
 * @example const signing = openSigning(embedUrl, { onEvent: ({ type }) => type === 'signed' && signing.close() });
 */
export function openSigning(embedUrl: string, options: Options = {}): { readonly close: () => void } {
  const { onEvent = () => undefined, title = 'Sinete', closeLabel = '\u00d7' } = options;
  const { origin, href, protocol } = new URL(embedUrl);
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('openSigning: this is no embedUrl.');
  const frame = document.createElement('iframe');
  // The page in the frame asks for the location of whoever wants it recorded, and the browser asks them too.
  Object.assign(frame, { src: href, title, referrerPolicy: 'no-referrer', allow: 'geolocation' });
  Object.assign(frame.style, { border: '0', width: '100%', height: '100%', minHeight: '32rem' });

  const receive = ({ source, origin: from, data }: MessageEvent): void => {
    // Another window, or a page that the frame was led to, may say anything.
    if (source !== frame.contentWindow || from !== origin || !TYPES.includes(data?.sinete)) return;
    const { sinete: type, ...more } = data;
    onEvent({ type, ...more });
  };
  const greet = (): void => frame.contentWindow?.postMessage({ sinete: 'hello' }, origin);
  addEventListener('message', receive);
  frame.addEventListener('load', greet);

  const dialog = options.container ? undefined : dialogWith(closeLabel, () => close());
  (options.container ?? dialog)?.append(frame);
  if (dialog) {
    document.body.append(dialog);
    dialog.showModal();
  }
  let isOpen = true;
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    removeEventListener('message', receive);
    frame.remove();
    dialog?.remove();
    onEvent({ type: 'closed' });
  };
  dialog?.addEventListener('close', close);
  return { close };
}

function dialogWith(label: string, onClose: () => void): HTMLDialogElement {
  const dialog = document.createElement('dialog');
  Object.assign(dialog.style, {
    ...{ width: 'min(72rem, 96vw)', height: '94dvh', maxHeight: '94dvh', padding: '0', border: '0' },
    ...{ borderRadius: '12px', overflow: 'hidden', flexDirection: 'column', display: 'flex' },
  });
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', textContent: label });
  button.setAttribute('aria-label', label === '\u00d7' ? 'Close' : label);
  Object.assign(button.style, {
    ...{ alignSelf: 'flex-end', minWidth: '2.75rem', minHeight: '2.75rem', font: 'inherit', border: '0' },
    ...{ background: 'none', color: 'inherit', cursor: 'pointer' },
  });
  button.addEventListener('click', onClose);
  dialog.append(button);
  return dialog;
}
