import { clientOf } from './client.ts';
import type { CallOptions } from './operation.ts';
import { type Code as BatchCode, operations as batchOperations } from './operations/batch.ts';
import { type Code as CompactCode, operations as compactOperations } from './operations/compact.ts';
import {
  type Code as CredentialsCode,
  operations as credentialsOperations,
} from './operations/credentials.ts';
import { type Code as DocumentsCode, operations as documentsOperations } from './operations/documents.ts';
import { type Code as HubCode, operations as hubOperations } from './operations/hub.ts';
import { type Code as PkiCode, operations as pkiOperations } from './operations/pki.ts';
import { type Code as SessionCode, operations as sessionOperations } from './operations/session.ts';
import type { operations as BatchOperations } from './types/batch.ts';
import type { operations as CompactOperations } from './types/compact.ts';
import type { operations as CredentialsOperations } from './types/credentials.ts';
import type { operations as DocumentsOperations } from './types/documents.ts';
import type { operations as HubOperations } from './types/hub.ts';
import type { operations as PkiOperations } from './types/pki.ts';
import type { operations as SessionOperations } from './types/session.ts';
import { DIRECT_BYTES, nameOf, typeOf } from './uploads.ts';

type NamedFile = CallOptions & {
  /** In place of the file's own name. */
  readonly name?: string;
};

/** Signs files in batches, with approvals. */
export class Batch extends clientOf<BatchOperations>(batchOperations) {
  /** Sends a file to be signed, whatever its size, and gives the id of its job. */
  async upload(
    file: Blob,
    { name, profile, ...options }: NamedFile & { readonly profile?: string } = {},
  ): Promise<string> {
    const fileName = nameOf(file, name);
    const query = profile === undefined ? {} : { profile };
    if (file.size <= DIRECT_BYTES) {
      const form = new FormData();
      form.append('file', file, fileName);
      return (await this.uploadFile({ ...query, body: form }, options)).jobId;
    }
    const place = await this.presignFile(
      { ...query, body: { name: fileName, contentType: typeOf(file), size: file.size } },
      options,
    );
    await this.put(place, file, options);
    return place.id;
  }
}

/** Signs files of one folder with one certificate. */
export class Compact extends clientOf<CompactOperations>(compactOperations) {}

/** Issues degrees, transcripts and curriculums. */
export class Credentials extends clientOf<CredentialsOperations>(credentialsOperations) {}

/** Sends documents to people, who sign them. */
export class Documents extends clientOf<DocumentsOperations>(documentsOperations) {
  /** Sends a file, whatever its size, and gives the id by which `createDocuments` names it. */
  async upload(file: Blob, { name, ...options }: NamedFile = {}): Promise<string> {
    const fileName = nameOf(file, name);
    if (file.size <= DIRECT_BYTES) {
      const form = new FormData();
      form.append('file', file, fileName);
      return (await this.createUpload({ body: form }, options)).id;
    }
    const place = await this.createPresignedUpload(
      { body: { name: fileName, contentType: typeOf(file), size: file.size } },
      options,
    );
    await this.put(place, file, options);
    return place.id;
  }
}

/** Cloud certificates: one address for all providers. */
export class Hub extends clientOf<HubOperations>(hubOperations) {}

/** The PKI core: log-in by certificate, signatures in two steps, signature sessions, inspection. */
export class Pki extends clientOf<PkiOperations>(pkiOperations) {}

/** Signs PDFs under a session that a PIN opened. */
export class Session extends clientOf<SessionOperations>(sessionOperations) {
  /** Signs a PDF, whatever its size, and gives the id of the signature. */
  async sign(sessionId: string, file: Blob, { name, ...options }: NamedFile = {}): Promise<string> {
    const fileName = nameOf(file, name);
    if (file.size <= DIRECT_BYTES) {
      const form = new FormData();
      form.append('sessionId', sessionId);
      form.append('document', file, fileName);
      return (await this.signDocument({ body: form }, options)).signatureId;
    }
    const place = await this.createPresignedUpload(
      { body: { sessionId, size: file.size, fileName } },
      options,
    );
    await this.put(place, file, options);
    return (await this.signDocument({ body: { sessionId, uploadId: place.uploadId } }, options)).signatureId;
  }
}

/** What the services refuse with. */
export type Code =
  | BatchCode
  | CompactCode
  | CredentialsCode
  | DocumentsCode
  | HubCode
  | PkiCode
  | SessionCode;
