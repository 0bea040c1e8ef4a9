import { handler as getJob } from '../../../functions/compact/endpoints/get-job.ts';
import { handler as listJobs } from '../../../functions/compact/endpoints/list-jobs.ts';
import { handler as uploadFile } from '../../../functions/compact/endpoints/upload-file.ts';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { FORM_TYPE, field, filePart, formData, type RawPart } from '../../shared/http/body/form-data.ts';
import { ask } from '../batch/jobs/operator.ts';

export const headers = { 'X-API-Key': SANDBOX_KEY, ...FORM_TYPE };

export type CompactJob = {
  readonly id: string;
  readonly fileName: string;
  readonly status: string;
  readonly errorMessage: string | null;
  readonly events: readonly { readonly createdAtUtc: string; readonly status: string }[];
};
export type CompactPage = { readonly total: number; readonly items: readonly CompactJob[] };

export const named = (fileName: string, content: string | Uint8Array = `The content of ${fileName}.`) =>
  filePart(content, { disposition: `filename="${fileName}"` });

/** Sends a form to the compact surface. */
export const send = (...parts: RawPart[]) => ask(uploadFile, { headers, body: formData(...parts) });

/** The status and the code of an upload. */
export async function outcomeOf(...parts: RawPart[]): Promise<string> {
  const { status, json } = await send(...parts);
  return `${status} ${(json() as { code?: string }).code ?? ''}`.trim();
}

/** Uploads a file with fields. Answers the id of its job. */
export async function uploaded(
  fileName: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  const parts = Object.entries(fields).map(([name, value]) => field(name, value));
  const { status, json, text } = await send(...parts, named(fileName));
  if (status !== 202) throw new Error(text);
  return (json() as { jobId: string }).jobId;
}

export const read = async (jobId: string): Promise<CompactJob> =>
  (await ask(getJob, { params: { jobId } })).json() as CompactJob;

export async function list(query: Record<string, string | string[]> = {}): Promise<CompactPage> {
  const { status, json, text } = await ask(listJobs, { query });
  if (status !== 200) throw new Error(text);
  return json() as CompactPage;
}
