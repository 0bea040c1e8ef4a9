import type * as z from 'zod';
import type { SignatureFormat } from '../../../../shared/signing/format-of.ts';
import type { SignatureOptions } from '../../../../shared/signing/two-step/options.ts';
import { XmlRefused } from '../../../../shared/signing/xades/errors.ts';
import { requirePrefixes, requireSimplePath } from '../../../../shared/signing/xades/xml/path-syntax.ts';
import type { XadesOptionsRequest } from '../../contract/flows/xades-options.ts';
import { errors } from '../../errors.ts';
import type { Flow, FlowAction } from './flow.ts';

/** The namespaces of a document's paths, by prefix. */
export type XmlNamespaces = Readonly<Record<string, string>>;

type Request = z.output<typeof XadesOptionsRequest> | null | undefined;

/** The options of an action. Those that cannot be kept are refused by name. */
export function xmlOptionsOf(request: Request, field: string): Pick<FlowAction, 'xml'> {
  if (!request) return {};
  const { elementToSignIdentifier: named, elementToSignIdentifierType: type } = request;
  if (request.signatureType === 'FullXmlAdRc')
    throw unsupported(
      'signatureType',
      `${field}.signatureType`,
      'Signatures of the ICP-Brasil policy AD-RC, with references to all revocation data, are not made here. Use FullXml.',
    );
  const isPath = type === 'XPath';
  if (named !== null && isPath) checkPath(() => requireSimplePath(named), field);
  const element = named === null ? undefined : isPath ? { path: named } : { id: named.replace(/^#/, '') };
  return {
    xml: {
      ...(element && { element }),
      ...(request.insertionOption && { insertion: request.insertionOption }),
      ...(request.disableXPathTransformation && { isPlain: true }),
    },
  };
}

const unsupported = (option: string, field: string, reason: string) =>
  errors.refuse('OptionNotSupported', { option, field, reason });

function checkPath(check: () => void, field: string): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof XmlRefused)) throw error;
    throw unsupported('elementToSignIdentifier', `${field}.elementToSignIdentifier`, error.message);
  }
}

type Xml = {
  readonly formats: readonly SignatureFormat[];
  readonly namespaces: XmlNamespaces;
  /** The name of the flow in the request. */
  readonly field?: string;
};

/** Refuses options of XML for a file that is signed in another format, and paths with a prefix of no namespace. */
export function requireXml(flow: Flow, { formats, namespaces, field = 'flowActions' }: Xml): void {
  const other = formats.find((format) => format !== 'XAdES');
  for (const [index, { xml }] of flow.entries()) {
    const path = `${field}.${index}.xadesOptions`;
    if (xml && other) throw unsupported('xadesOptions', path, `A file of the call is signed as ${other}.`);
    const element = xml?.element;
    if (element && 'path' in element) checkPath(() => requirePrefixes(element.path, namespaces), path);
  }
}

/** The options of the signature of an action. */
export function signatureOptionsOf(
  { xml }: FlowAction,
  namespaces: XmlNamespaces = {},
): SignatureOptions | undefined {
  if (!xml) return undefined;
  const { element, insertion, isPlain } = xml;
  return {
    xades: {
      ...(element && { element: 'path' in element ? { ...element, namespaces } : element }),
      ...(insertion && { insertion }),
      ...(isPlain && { leaveRoom: false }),
    },
  };
}

/** The same options as responses show them. */
export function renderXmlOptions({ xml }: FlowAction) {
  if (!xml) return null;
  const { element, insertion = 'AppendChild', isPlain = false } = xml;
  return {
    signatureType: element ? ('XmlElement' as const) : ('FullXml' as const),
    elementToSignIdentifierType: element && 'path' in element ? ('XPath' as const) : ('Id' as const),
    elementToSignIdentifier: element ? ('path' in element ? element.path : element.id) : null,
    insertionOption: insertion,
    disableXPathTransformation: isPlain,
  };
}
