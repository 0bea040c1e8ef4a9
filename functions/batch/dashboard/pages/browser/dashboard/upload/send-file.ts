import { transmit } from '../../../../../../../shared/ui/browser/transmit.ts';

/** How an upload ended. */
export type Outcome =
  | { readonly kind: 'job'; readonly jobId: string }
  /** In the store by a link: its job comes with the notification. */
  | { readonly kind: 'put'; readonly jobId: string }
  | { readonly kind: 'refused'; readonly code: string; readonly isFinal: boolean }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'lost' }
  | { readonly kind: 'notPut' };

export type Sending = {
  /** The address of the API. */
  readonly api: string;
  readonly profile: string;
  readonly format: string;
  /** Larger files go by a link. */
  readonly maxFormBytes: number;
  /** From 0 to 1. */
  readonly onProgress: (share: number) => void;
};

type Answer = { readonly status: number; readonly retryAfter: number; readonly body: unknown };

const DEFAULT_WAIT_SECONDS = 10;

const AS_JSON = { accept: 'application/json' };

/** Sends a file as a form, or by a link where it is too large for one. */
export const sendFile = (file: File, sending: Sending): Promise<Outcome> =>
  file.size > sending.maxFormBytes ? sendByLink(file, sending) : sendAsForm(file, sending);

const targetOf = ({ profile, format }: Sending): URLSearchParams =>
  new URLSearchParams({ profile, ...(format && { format }) });

async function sendAsForm(file: File, sending: Sending): Promise<Outcome> {
  const form = new FormData();
  form.append('file', file);
  const address = `${sending.api}/files?${targetOf(sending)}`;
  const { onProgress } = sending;
  const answer = await request(address, { method: 'POST', headers: AS_JSON, body: form, onProgress });
  if (!answer) return { kind: 'lost' };
  return answer.status === 202 ? { kind: 'job', jobId: textIn(answer.body, 'jobId') } : refusalOf(answer);
}

async function sendByLink(file: File, sending: Sending): Promise<Outcome> {
  const { onProgress } = sending;
  const announced = await request(`${sending.api}/files/presigned?${targetOf(sending)}`, {
    method: 'POST',
    headers: { ...AS_JSON, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: file.name,
      contentType: file.type || 'application/octet-stream',
      size: file.size,
    }),
  });
  if (!announced) return { kind: 'lost' };
  if (announced.status !== 200) return refusalOf(announced);
  const { url, headers } = announced.body as { url: string; headers: Record<string, string> };
  const put = await request(url, { method: 'PUT', headers, body: file, onProgress });
  return put?.status === 200 ? { kind: 'put', jobId: textIn(announced.body, 'id') } : { kind: 'notPut' };
}

/** 429 and 503 say when to come again. Of the others, those of the service itself pass. */
function refusalOf({ status, retryAfter, body }: Answer): Outcome {
  if (status === 429) return { kind: 'wait', seconds: retryAfter || DEFAULT_WAIT_SECONDS };
  return { kind: 'refused', code: textIn(body, 'code'), isFinal: status < 500 && status !== 401 };
}

const textIn = (body: unknown, name: string): string => {
  const value =
    typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' ? value : '';
};

async function request(address: string, sent: Parameters<typeof transmit>[1]): Promise<Answer | undefined> {
  const call = await transmit(address, sent);
  return (
    call && {
      status: call.status,
      // The store of another origin does not show it.
      retryAfter: call.status === 429 ? Number(call.getResponseHeader('retry-after')) || 0 : 0,
      body: parse(call.responseText),
    }
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type FoundJob = { readonly status: string; readonly errorCode: string | null };

/** The job of a file that was put by a link; undefined until it is there. */
export async function findJob(api: string, jobId: string): Promise<FoundJob | undefined> {
  const answer = await fetch(`${api}/jobs/${jobId}`, { headers: { accept: 'application/json' } }).catch(
    () => undefined,
  );
  return answer?.ok ? ((await answer.json()) as FoundJob) : undefined;
}
