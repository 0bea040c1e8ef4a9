import { nowOf, type Rendered, type WebhookEngine, type Withdrawn } from '../engine.ts';
import type { WebhookEvent } from '../event.ts';

// A subject is rendered at most this long before the call that sends it begins: less than a call takes to arrive.
const MAX_AGE_MS = 100;

type Rendering = { readonly atMs: number; readonly content: Promise<Rendered | Withdrawn> };

/**
 * Renders the subjects of a turn. A subject is asked for together with those whose attempts will begin within a tenth of
 * a second, as many as began in the last one, so that the store reads them in one request. One that waited longer is
 * rendered again. The fewer attempts begin, the fewer are rendered ahead: none for a slow receiver.
 *
 *   rendered   |--a b c d--|          |--e f g h--|
 *   sent                 a   b  c   d           e  f   g  h
 *
 * An event is committed before its delivery is found, so what is sent is never older than the change that caused it.
 * @example const { type, data } = await render(event, following);
 */
export function renderAhead(engine: WebhookEngine) {
  const known = new Map<string, Rendering>();
  let begunAtMs: readonly number[] = [];

  const start = ({ id, owner, subject }: WebhookEvent, atMs: number): Rendering => {
    const rendering = { atMs, content: renderSubject(engine, subject, owner) };
    // Whoever sends it gets its failure.
    rendering.content.catch(() => undefined);
    known.set(id, rendering);
    return rendering;
  };
  return (
    event: WebhookEvent,
    following: readonly { readonly event: WebhookEvent | undefined }[],
  ): Promise<Rendered | Withdrawn> => {
    const atMs = nowOf(engine);
    const isRecent = (ms: number): boolean => atMs - ms >= 0 && atMs - ms <= MAX_AGE_MS;
    const ahead = begunAtMs.filter(isRecent);
    begunAtMs = [...ahead, atMs];
    const found = known.get(event.id);
    known.delete(event.id);
    if (found && isRecent(found.atMs)) return found.content;
    for (const next of following.slice(0, ahead.length))
      if (next.event?.subject !== undefined && !isRecent(known.get(next.event.id)?.atMs ?? 0))
        start(next.event, atMs);
    const { content } = start(event, atMs);
    known.delete(event.id);
    return content;
  };
}

async function renderSubject(
  { service, render }: WebhookEngine,
  subject: string | undefined,
  owner: string,
): Promise<Rendered | Withdrawn> {
  if (!render || subject === undefined) throw new Error(`The webhooks of ${service} render no subjects.`);
  return render(subject, owner);
}
