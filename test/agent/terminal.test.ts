import { PassThrough } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { holderOf } from '../../agent/holder/holder.ts';
import { askInTerminal } from '../../agent/holder/terminal.ts';
import type { KeyStore } from '../../agent/keys/key-store.ts';
import { DEFAULT_TIMES, pinKeeper } from '../../agent/pin-keeper.ts';

/** A terminal with an agent that waits for its holder, whose PIN is 4321. */
function atTerminal() {
  const presented: string[] = [];
  const store = {
    present: async (pin: string) => {
      presented.push(pin);
      return pin === '4321' ? { kind: 'accepted', certificates: [] } : { kind: 'rejected' };
    },
    lock: () => undefined,
  } as unknown as KeyStore;
  const holder = holderOf(pinKeeper(store, DEFAULT_TIMES), { onUnlocked: () => undefined });
  const raw: boolean[] = [];
  const keyboard = Object.assign(new PassThrough(), { setRawMode: (on: boolean) => raw.push(on) });
  let shown = '';
  const write = (text: string) => {
    shown += text;
  };
  const interrupt = vi.fn();
  const speech = { print: (line: string) => write(`${line}\n`), printError: write };
  const asking = askInTerminal(holder, { keyboard, screen: { write }, interrupt }, speech);
  const ask = (signal?: AbortSignal) =>
    holder.ask(
      { reason: { kind: 'request', application: 'acme' }, holder: 'ANA', endsAtMs: Date.now() + 10_000 },
      signal,
    );
  return { holder, keyboard, presented, raw, interrupt, ask, asking, shown: () => shown };
}

describe('in the terminal', () => {
  test('the holder is told who asks, and nothing of the PIN is shown', async () => {
    const { ask, keyboard, shown, presented, raw } = atTerminal();
    const asking = ask();
    keyboard.write('43x\u007f21\r');
    expect(await asking).toBe('accepted');
    expect(presented).toEqual(['4321']);
    expect(shown()).toMatch(
      /^acme asks to sign with the certificate of ANA\. PIN \(Enter alone declines\): \n/,
    );
    expect(shown()).not.toMatch(/[0-9]/);
    expect(raw).toEqual([true, false]);
  });

  test('Enter alone declines', async () => {
    const { ask, keyboard, presented } = atTerminal();
    const asking = ask();
    keyboard.write('\r');
    expect(await asking).toBe('declined');
    expect(presented).toEqual([]);
  });

  test('a wrong PIN is said to be wrong, and asked for again', async () => {
    const { ask, keyboard, shown } = atTerminal();
    const asking = ask();
    keyboard.write('1111\r');
    await expect.poll(shown).toMatch(/not accepted.*\nacme asks/s);
    keyboard.write('4321\r');
    expect(await asking).toBe('accepted');
  });

  test('a question that is answered elsewhere, or taken back, is not asked any more', async () => {
    const { ask, holder, raw, keyboard, presented } = atTerminal();
    const over = new AbortController();
    const asking = [ask(over.signal), ask()];
    over.abort();
    expect(await asking[0]).toBe('withdrawn');
    await holder.type('4321');
    expect(await asking[1]).toBe('accepted');
    expect(raw.at(-1)).toBe(false);
    keyboard.write('1111\r');
    expect(presented).toEqual(['4321']);
  });

  test('Control-C stops the agent, also while a PIN is typed', async () => {
    const { ask, keyboard, interrupt, asking } = atTerminal();
    void ask();
    keyboard.write('12\u0003');
    await expect.poll(() => interrupt).toHaveBeenCalledOnce();
    asking.stop();
  });
});
