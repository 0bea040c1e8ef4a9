import type { Capture } from './api.ts';

type Module = Extract<Capture, { kind: 'module' }>;

/** What an operator's module with the provider's own client offers: it resolves when the capture is over. */
type CaptureModule = {
  capture(about: {
    readonly sessionId: string;
    readonly region: string;
    readonly language: string;
    readonly container: HTMLElement;
  }): Promise<void>;
};

/** Leaves a capture to the provider's own client. */
export async function captureByModule(
  { module, sessionId, region }: Module,
  container: HTMLElement,
): Promise<void> {
  const { capture } = (await import(module)) as CaptureModule;
  const room = document.createElement('div');
  container.append(room);
  try {
    await capture({ sessionId, region, language: document.documentElement.lang, container: room });
  } finally {
    room.remove();
  }
}
