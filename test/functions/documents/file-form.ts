type Form = { readonly body: Buffer; readonly headers: { readonly 'content-type': string } };

/** A form with files, as a browser or `fetch` sends it. */
export async function fileForm(...files: readonly File[]): Promise<Form> {
  const form = new FormData();
  for (const file of files) form.append('file', file);
  return encodeForm(form);
}

export async function encodeForm(form: FormData): Promise<Form> {
  const request = new Response(form);
  const contentType = request.headers.get('content-type') ?? '';
  return { body: Buffer.from(await request.arrayBuffer()), headers: { 'content-type': contentType } };
}
