import { sourceOf } from '../../../../shared/signing/pades/pdf/source.ts';
import { appendDocumentTimestamp } from '../../../../shared/signing/pades/sign.ts';
import { stamp } from '../../domain/timestamps.ts';
import { withRefusals } from './refusals.ts';

type Options = {
  readonly customSignatureFieldName?: string | null | undefined;
  readonly reason?: string | null | undefined;
};

/** The PDF with a timestamp over all of it. Signatures in it stay valid, also where they certify it. */
export async function stampPdf(pdf: Buffer, { customSignatureFieldName, reason }: Options): Promise<Buffer> {
  const options = { field: customSignatureFieldName || undefined, reason: reason || undefined };
  return withRefusals('stamping', async () =>
    Buffer.concat((await appendDocumentTimestamp(sourceOf(pdf), stamp, options)).pieces),
  );
}
