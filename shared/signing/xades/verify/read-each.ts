import { type Finding, failed } from '../../../pki/validation-results.ts';
import { XmlRefused } from '../errors.ts';
import { signaturesOf } from '../signatures.ts';
import type { Form } from '../xml/sink.ts';
import { takeForms } from '../xml/take-forms.ts';
import type { Wanted } from '../xml/task.ts';
import { openXml, type Tree } from '../xml/tree.ts';
import type { Work } from '../xml/work.ts';
import { attributeOf, NotAccepted } from './dom.ts';
import { type Claim, claimOf, type Facts } from './facts.ts';
import { readerOf } from './reader.ts';
import { readSignedInfo } from './signed-info.ts';

/** A signature that was read, or why it could not be. */
export type Reading = { readonly path: string; readonly id: string | undefined } & (
  | { readonly facts: Facts }
  | { readonly refusal: Finding }
);

type Read = Pick<Reading, 'path' | 'id'> & { readonly claim: Claim | Finding };

/** Reads the signatures of a document, in their order. */
export function readEach(document: Uint8Array, idAttributes: readonly string[], work: Work): Reading[] {
  const { first, formOf } = takeForms(openXml(document, work), (tree) => {
    const reads = readAll(tree, idAttributes);
    return { reads, wanted: reads.flatMap(({ claim }) => ('wanted' in claim ? claim.wanted : [])) };
  });
  return first.reads.map((read) => concluded(read, formOf));
}

function readAll(tree: Tree, idAttributes: readonly string[]): Read[] {
  const signatures = signaturesOf(tree);
  const begun = signatures.map((signature) => ({
    signature,
    info: orFinding(() => readSignedInfo(signature)),
  }));
  const ids = begun.flatMap(({ info }) => ('said' in info ? info.said.flatMap(({ id }) => id ?? []) : []));
  const reader = readerOf(tree, signatures, ids, idAttributes);
  return begun.map(({ signature, info }) => ({
    path: reader.pathOf(signature.element),
    id: attributeOf(signature.element, 'Id'),
    claim: 'said' in info ? orFinding(() => claimOf(reader, signature, info)) : info,
  }));
}

// A signature that is not what it must be is told of; that the whole document asks for too much is not its matter.
function orFinding<T>(read: () => T): T | Finding {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotAccepted) return failed(error.type, error.message);
    throw error;
  }
}

function concluded({ path, id, claim }: Read, formOf: (wanted: Wanted) => Form): Reading {
  if (!('wanted' in claim)) return { path, id, refusal: claim };
  try {
    return { path, id, facts: claim.facts(claim.wanted.map(formOf)) };
  } catch (error) {
    if (!(error instanceof XmlRefused)) throw error;
    return { path, id, refusal: failed('XmlDSigCoreValidationFailed', error.message) };
  }
}
