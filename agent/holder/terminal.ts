import type { Output } from '../../shared/command-line/output.ts';
import type { TypeResult } from '../pin-keeper.ts';
import type { Holder } from './holder.ts';
import type { Question } from './questions.ts';

export type Keyboard = NodeJS.ReadableStream & {
  readonly isTTY?: boolean;
  setRawMode?(on: boolean): unknown;
};

type Terminal = {
  readonly keyboard: Keyboard;
  readonly screen: { write(text: string): unknown };
  /** Control-C: a terminal without echo does not turn it into a signal. */
  readonly interrupt: () => void;
};

const CONTROL_C = '\u0003';
const ENDS = ['\r', '\n', '\u0004'];
const ERASERS = ['\u007f', '\b'];

const MESSAGES: Readonly<Record<TypeResult['kind'], string>> = {
  accepted: 'The PIN was accepted.',
  rejected: 'The PIN was not accepted. Too many wrong ones lock a token.',
  resting: 'Three PINs in a row were not accepted. Try again later.',
  locked: 'The token is locked. Unlock it with the PUK that came with it.',
  unusable: 'The token or file could not be used.',
};

/** Asks open questions in the terminal too, one at a time and without echo. */
export function askInTerminal(
  holder: Holder,
  { keyboard, screen, interrupt }: Terminal,
  { print }: Output,
): { stop(): void } {
  let shown: Question | undefined;
  let typed: string[] = [];

  const open = (question: Question): void => {
    shown = question;
    typed = [];
    keyboard.setRawMode?.(true);
    keyboard.resume();
    screen.write(textOf(question));
  };
  const close = (): void => {
    shown = undefined;
    typed = [];
    keyboard.setRawMode?.(false);
    keyboard.pause();
  };

  const look = (): void => {
    const list = holder.questions.list();
    if (shown && !list.some(({ id }) => id === shown?.id)) {
      screen.write('\n');
      close();
    }
    const [first] = list;
    if (!shown && first) open(first);
  };

  const enter = async (question: Question): Promise<void> => {
    const pin = typed.join('');
    screen.write('\n');
    close();
    if (pin === '') {
      holder.decline(question.id);
      return look();
    }
    const outcome = await holder.type(pin, question.id);
    print(outcome.kind === 'unusable' ? outcome.reason : MESSAGES[outcome.kind]);
    // No PIN is tried while the holder rests. The page shows until when.
    if (outcome.kind !== 'resting') look();
  };

  const onData = (data: Buffer | string): void => {
    for (const key of String(data)) {
      if (key === CONTROL_C) interrupt();
      if (key === CONTROL_C || !shown) return;
      if (ENDS.includes(key)) return void enter(shown);
      typed = ERASERS.includes(key) ? typed.slice(0, -1) : [...typed, key];
    }
  };

  keyboard.on('data', onData);
  keyboard.pause();
  holder.questions.onChange(look);
  holder.addInterface();
  return {
    stop() {
      close();
      keyboard.off('data', onData);
    },
  };
}

function textOf({ reason, holder }: Question): string {
  const whose = holder ? ` of ${holder}` : '';
  if (reason.kind === 'signature') {
    const listed = reason.documents.map(({ name, code }) => `  ${code}  ${name}\n`).join('');
    return `${reason.requester}, through ${reason.application}, asks you to sign with the certificate${whose}:\n${listed}The codes are on the page where you sign. PIN (Enter alone declines): `;
  }
  return reason.kind === 'request'
    ? `${reason.application} asks to sign with the certificate${whose}. PIN (Enter alone declines): `
    : `The PIN${whose} is needed once to present the certificate. PIN (Enter alone skips): `;
}
