import { FullXmlSignaturePostRequest } from '../contract.ts';
import { startXml } from '../domain/start-kinds.ts';
import { startOperation } from '../operations.ts';

export const handler = startOperation('POST /Api/XmlSignatures/FullXmlSignature', {
  what: 'a signature of XML as a whole',
  body: FullXmlSignaturePostRequest,
  start: startXml,
});
