import { XmlElementSignaturePostRequest } from '../contract.ts';
import { startXml } from '../domain/start-kinds.ts';
import { startOperation } from '../operations.ts';

export const handler = startOperation('POST /Api/XmlSignatures/XmlElementSignature', {
  what: 'a signature of an XML element',
  body: XmlElementSignaturePostRequest,
  start: startXml,
});
