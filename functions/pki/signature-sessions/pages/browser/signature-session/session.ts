import type { Bytes } from '../../../../../../shared/der/bytes.ts';
import { withQuery } from '../../../../../../shared/net/with-query.ts';
import { apiAt, bytesAt, jsonAt, RequestRefused, storeAt } from '../../../../../../shared/ui/browser/api.ts';

export type Document = {
  readonly documentId: string;
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  readonly state: 'Pending' | 'Signed' | 'Completed';
  readonly signedFile: { readonly name: string } | null;
};

export type Status = 'Pending' | 'Processing' | 'Completed' | 'UserCancelled' | 'Expired' | 'ProcessingError';

export type Session = {
  readonly sessionId: string;
  readonly application: string;
  readonly status: Status;
  readonly returnUrl: string | null;
  readonly enableBackgroundProcessing: boolean;
  readonly disableDownloads: boolean;
  /** The person brings the documents. */
  readonly takesFiles: boolean;
  readonly certificateRequirements: readonly {
    readonly type: 'Cpf' | 'CryptoDevice';
    readonly argument: string | null;
  }[];
  readonly documents: readonly Document[];
};

export type SessionApi = ReturnType<typeof sessionApi>;

/** The session that the page's address and the token behind its `#` open. */
export function sessionApi(root: string, token: string) {
  const headers = { 'X-Signature-Session-Token': token };
  const post = apiAt(root, headers);

  const place = ({ documentId }: Document, type: 'Original' | 'Signed' = 'Original') => ({
    address: `${root}/documents/${documentId}/content?type=${type}`,
    headers,
  });

  /** The session once it has ended. The server holds each call for a while. */
  const ended = async (): Promise<Session> => {
    for (;;) {
      try {
        return await post<Session>('completion', {});
      } catch (error) {
        if (!(error instanceof RequestRefused) || error.code !== 'BackgroundProcessing') throw error;
      }
      await new Promise((done) => setTimeout(done, ASKED_AGAIN_MS));
    }
  };

  return {
    post,
    ended,
    read: () => jsonAt<Session>(root, headers),
    cancel: () => post<Session>('cancellation', {}),
    /** Where the content of a document is. */
    place,
    content: (document: Document, type?: 'Signed'): Promise<Bytes> =>
      bytesAt(place(document, type).address, headers),
    /** Stores a part of an upload. Returns its entity tag. */
    store: (path: string, bytes: Blob): Promise<string> => storeAt(`${root}/${path}`, bytes, headers),
  };
}

// Where the server is set to hold no call, it is not asked all the time.
const ASKED_AGAIN_MS = 500;

/** Where the person goes in the end, if anywhere. */
export const returnAddress = ({ returnUrl, sessionId }: Session): string | undefined =>
  returnUrl === null ? undefined : withQuery(returnUrl, { signatureSessionId: sessionId });
