import { readFileSync } from 'node:fs';
import { failed, resultsOf } from '../../shared/pki/validation-results.ts';
import type { Judge } from '../../shared/signing/cms/judge.ts';
import type { Coverage } from '../../shared/signing/xades/verify/references.ts';
import { verifyXades } from '../../shared/signing/xades/verify/verify.ts';
import type { Options } from './options.ts';
import type { Shown } from './shown.ts';

const NONE = resultsOf([failed('DecodeError', 'The XML document holds no signature.')]);

export async function showXades({ file, atMs }: Options, judge: Judge): Promise<Shown> {
  const { signatures, valid } = await verifyXades(readFileSync(file), { judge, atMs });
  return {
    format: 'XAdES',
    valid,
    ...(signatures.length === 0 && { results: NONE }),
    signatures: signatures.map((signature) => ({
      ...signature,
      place: signature.path,
      covers: signature.covers.filter(({ kind }) => kind !== 'own-part').map(coverageText),
    })),
  };
}

function coverageText({ kind, path, isRoot, without, comments }: Coverage): string {
  const what =
    kind === 'document' ? 'the whole document' : `the element ${path}${isRoot ? ', the root' : ''}`;
  return [
    what,
    ...(without === 'all-signatures' ? ['without any signature that stands in it'] : []),
    ...(comments > 0 ? [`without its ${comments} comments`] : []),
  ].join(', ');
}
