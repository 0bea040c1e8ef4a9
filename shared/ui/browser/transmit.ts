type Transmission = {
  readonly method: 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: FormData | File | string;
  /** Told how much of the body is sent, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
};

/**
 * Sends a body and tells how far it is, which `fetch` does not. Undefined where no answer came.
 * @example const answer = await transmit(url, { method: 'PUT', headers, body: file, onProgress });
 */
export const transmit = (
  address: string,
  { method, headers = {}, body, onProgress = () => undefined }: Transmission,
): Promise<XMLHttpRequest | undefined> =>
  new Promise((resolve) => {
    const call = new XMLHttpRequest();
    call.open(method, address);
    for (const [name, value] of Object.entries(headers)) call.setRequestHeader(name, value);
    call.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total > 0 ? loaded / total : 0),
    );
    call.addEventListener('load', () => resolve(call));
    for (const event of ['error', 'abort', 'timeout']) call.addEventListener(event, () => resolve(undefined));
    call.send(body);
  });
