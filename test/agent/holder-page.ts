import { setTimeout as pause } from 'node:timers/promises';
import type { AgentProcess } from './agent-process.ts';

// As long as expect.poll waits.
const SHOWN_WITHIN_MS = 60_000;

/** The holder's page, as a browser without scripts uses it. */
export type HolderPage = {
  readonly url: string;
  text(language?: string): Promise<string>;
  /** Waits until the page says this. */
  shows(pattern: RegExp): Promise<string>;
  /** Fills in the form that the page shows now and sends it; gives the page that follows. */
  confirm(pin: string): Promise<string>;
  decline(): Promise<string>;
  /** Has the agent forget the PIN in use. */
  forget(): Promise<string>;
  /** Any form, as anybody might send it. */
  send(fields: Record<string, string>, headers?: Record<string, string>): Promise<Response>;
};

const fieldIn = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';

export async function holderPage(agent: AgentProcess): Promise<HolderPage> {
  const [, url = ''] = await agent.said(/Your page: (http\S+)/);
  const { origin } = new URL(url);
  const text = async (language = 'en') =>
    (await fetch(url, { headers: { 'accept-language': language } })).text();
  const send: HolderPage['send'] = (fields, headers = { origin }) =>
    fetch(`${url}answer`, { method: 'POST', headers, body: new URLSearchParams(fields) });
  const submit = async (fields: Record<string, string>): Promise<string> => {
    const page = await (await fetch(`${url}?unlock=yes`)).text();
    const shown = { form: fieldIn(page, 'form'), question: fieldIn(page, 'question'), lang: 'en' };
    return (await send({ ...shown, ...fields })).text();
  };
  return {
    url,
    text,
    send,
    async shows(pattern) {
      for (const giveUpAt = performance.now() + SHOWN_WITHIN_MS; performance.now() < giveUpAt; ) {
        const page = await text();
        if (pattern.test(page)) return page;
        await pause(50);
      }
      throw new Error(`The page does not show ${pattern}: ${await text()}`);
    },
    confirm: (pin) => submit({ action: 'confirm', pin }),
    decline: () => submit({ action: 'decline' }),
    forget: () => submit({ action: 'forget' }),
  };
}
