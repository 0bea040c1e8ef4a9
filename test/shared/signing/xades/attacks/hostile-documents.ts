const DS = 'http://www.w3.org/2000/09/xmldsig#';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const INCLUSIVE = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const FILTER = 'http://www.w3.org/2002/06/xmldsig-filter2';
const DIGESTS = ['xmldsig-more#sha384', 'xmlenc#sha256', 'xmlenc#sha512'];

const many = (count: number, each: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => each(at)).join('');

type Over = { uri?: string; out?: 'this' | 'all'; inclusive?: boolean; prefixes?: string; digest?: string };

const OUT = {
  this: `<Transform Algorithm="${DS}enveloped-signature"/>`,
  all: `<Transform Algorithm="${FILTER}"><f:XPath xmlns:f="${FILTER}" xmlns:d="${DS}" Filter="subtract">/descendant::d:Signature</f:XPath></Transform>`,
};

// Forms with other prefixes to take over are other forms: each must be written anew.
const over = ({ uri = '', out, inclusive, prefixes, digest = DIGESTS[1] }: Over): string => {
  const parameters = prefixes && `<e:InclusiveNamespaces xmlns:e="${EXCLUSIVE}" PrefixList="${prefixes}"/>`;
  const canonical = `<Transform Algorithm="${inclusive ? INCLUSIVE : EXCLUSIVE}">${parameters ?? ''}</Transform>`;
  return `<Reference URI="${uri}"><Transforms>${out ? OUT[out] : ''}${canonical}</Transforms><DigestMethod Algorithm="http://www.w3.org/2001/04/${digest}"/><DigestValue>AAAA</DigestValue></Reference>`;
};

const signature = (references: string, { certificates = '', objects = '' } = {}): string =>
  `<Signature xmlns="${DS}"><SignedInfo><CanonicalizationMethod Algorithm="${EXCLUSIVE}"/><SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>${references}</SignedInfo><SignatureValue>AAAA</SignatureValue><KeyInfo><X509Data>${certificates}</X509Data></KeyInfo>${objects}</Signature>`;

const DECODED = `<Transforms><Transform Algorithm="${DS}base64"/></Transforms>`;

const XADES = 'http://uri.etsi.org/01903/v1.3.2#';
const archive = (prefix: string): string =>
  `<t:ArchiveTimeStamp xmlns:t="http://uri.etsi.org/01903/v1.4.1#"><CanonicalizationMethod Algorithm="${EXCLUSIVE}"><e:InclusiveNamespaces xmlns:e="${EXCLUSIVE}" PrefixList="${prefix}"/></CanonicalizationMethod><x:EncapsulatedTimeStamp>AAAA</x:EncapsulatedTimeStamp></t:ArchiveTimeStamp>`;
// References without a canonicalisation of their own are written anew for every timestamp.
const archived = (at: number, stamps: string): string =>
  signature(over({ out: 'all' }).replace(/<Transform Algorithm="[^"]*c14n#"><\/Transform>/, ''), {
    objects: `<Object><x:QualifyingProperties xmlns:x="${XADES}" Target="#s${at}"><x:UnsignedProperties><x:UnsignedSignatureProperties>${stamps}</x:UnsignedSignatureProperties></x:UnsignedProperties></x:QualifyingProperties></Object>`,
  }).replace('<Signature ', `<Signature Id="s${at}" `);

const prefixes = (at: number): string => Array.from({ length: 16 }, (_, i) => `q${at}x${i}`).join(' ');
const namespaces = (count: number): string => many(count, (at) => `xmlns:p${at}="u:${at}" `);
const attributes = (count: number): string => many(count, (at) => `a${String(at).padStart(4, '0')}="" `);
const deep = (levels: number, content: string): string =>
  `${'<a>'.repeat(levels)}${content}${'</a>'.repeat(levels)}`;

export type Shape = {
  readonly make: (count: number) => string;
  /** How many are still read, and how many are not. */
  readonly few: number;
  readonly tooMany: number;
};

/** Documents that ask for the more work the larger `count` is, far beyond their size. */
export const SHAPES: Record<string, Shape> = {
  'signatures, empty ones': {
    make: (count) => `<r>${`<Signature xmlns="${DS}"/>`.repeat(count)}</r>`,
    few: 150,
    tooMany: 600,
  },
  'signatures, with references to nothing': {
    make: (count) => `<r>${signature(many(16, (at) => over({ uri: `#x${at}` }))).repeat(count)}</r>`,
    few: 100,
    tooMany: 600,
  },
  'signatures that each cover all others': {
    make: (count) => `<r>${'<a>x</a>'.repeat(10_000)}${signature(over({ out: 'this' })).repeat(count)}</r>`,
    few: 5,
    tooMany: 30,
  },
  'forms of the whole document': {
    make: (count) =>
      `<r>${'<a>x</a>'.repeat(5000)}${many(count, (at) => signature(many(16, (i) => over({ out: 'all', prefixes: `q${at}x${i}` }))))}</r>`,
    few: 2,
    tooMany: 12,
  },
  'digests of large forms': {
    make: (count) =>
      `<r><t>${'>'.repeat(400_000)}</t>${many(count, (at) => signature(DIGESTS.map((digest) => over({ prefixes: `q${at}`, digest })).join('')))}</r>`,
    few: 8,
    tooMany: 60,
  },
  'forms of one large element': {
    make: (count) =>
      `<r><b Id="b">${'<a>x</a>'.repeat(5000)}</b>${many(count, (at) => signature(many(16, (i) => over({ uri: '#b', prefixes: `q${at}x${i}` }))))}</r>`,
    few: 2,
    tooMany: 12,
  },
  'forms of small elements': {
    make: (count) =>
      `<r>${many(16 * count, (at) => `<b Id="b${at}"/>`)}${many(count, (at) => signature(many(16, (i) => over({ uri: `#b${16 * at + i}` }))))}</r>`,
    few: 60,
    tooMany: 300,
  },
  'forms of elements in each other': {
    make: (count) =>
      `${many(100, (at) => `<a Id="i${at}">`)}${'<b/>'.repeat(count)}${many(6, (at) => signature(many(16, (i) => over({ uri: `#i${16 * at + i}` }))))}${'</a>'.repeat(100)}`,
    few: 300,
    tooMany: 4000,
  },
  'prefixes to look up in the depth': {
    make: (count) =>
      deep(
        250,
        `${'<b/>'.repeat(3000)}${many(count, (at) => signature(over({ out: 'all', prefixes: prefixes(at) })))}`,
      ),
    few: 2,
    tooMany: 12,
  },
  'namespaces in scope of every element': {
    make: (count) =>
      `<r ${namespaces(count)}>${'<a/>'.repeat(2000)}${signature(over({ inclusive: true }))}</r>`,
    few: 60,
    tooMany: 300,
  },
  'namespaces of every element': {
    make: (count) =>
      `<r>${`<a ${namespaces(16)}/>`.repeat(count)}${signature(over({ out: 'this', inclusive: true }))}</r>`,
    few: 5000,
    tooMany: 40_000,
  },
  'attributes of every element': {
    make: (count) =>
      `<r>${`<a ${attributes(count)}/>`.repeat(30)}${many(4, (at) => signature(over({ out: 'all', prefixes: `q${at}` })))}</r>`,
    few: 200,
    tooMany: 2000,
  },
  'comments in the depth': {
    make: (count) =>
      deep(250, `${'<!---->'.repeat(count)}${signature(many(16, (at) => over({ prefixes: `q${at}` })))}`),
    few: 5000,
    tooMany: 150_000,
  },
  'instructions and sections': {
    make: (count) =>
      `<r>${'<?p?><![CDATA[]]>'.repeat(count)}${many(5, (at) => signature(many(16, (i) => over({ prefixes: `q${at}x${i}` }))))}</r>`,
    few: 4000,
    tooMany: 40_000,
  },
  identifiers: {
    make: (count) =>
      `<r>${many(count, (at) => `<a Id="n${at}"/>`)}${signature(many(16, (at) => over({ uri: `#n${at}` })))}</r>`,
    few: 50_000,
    tooMany: 300_000,
  },
  'siblings to tell apart': {
    make: (count) =>
      `<r>${'<a/>'.repeat(count)}${many(16, (at) => `<b${at} Id="i${at}"/>`)}${signature(many(16, (at) => over({ uri: `#i${at}` })))}</r>`,
    few: 10_000,
    tooMany: 60_000,
  },
  'elements that keep their language': {
    make: (count) =>
      `<r xml:lang="pt">${many(16 * count, (at) => `<b Id="b${at}">${'<a/>'.repeat(30)}</b>`)}${many(count, (at) => signature(many(16, (i) => over({ uri: `#b${16 * at + i}`, inclusive: true }))))}</r>`,
    few: 3,
    tooMany: 20,
  },
  'parts of one signature': {
    make: (count) => `<r>${signature(over({}), { objects: '<Object/>'.repeat(count) })}</r>`,
    few: 50_000,
    tooMany: 300_000,
  },
  'decodings of one text': {
    make: (count) =>
      `<r><b Id="b">${'QUJD'.repeat(100_000)}</b>${signature(
        over({ uri: '#b' })
          .replace(/<Transforms>.*<\/Transforms>/, DECODED)
          .repeat(16),
      ).repeat(count)}</r>`,
    few: 2,
    tooMany: 8,
  },
  'archive timestamps over all': {
    make: (count) =>
      `<r>${'<a>x</a>'.repeat(5000)}${many(count, (at) =>
        archived(
          at,
          many(16, (i) => archive(`q${at}x${i}`)),
        ),
      )}</r>`,
    few: 2,
    tooMany: 12,
  },
  'bytes of certificates': {
    make: (count) =>
      `<r>${many(count, () => signature(over({}), { certificates: `<X509Certificate>${'QUJD'.repeat(500)}</X509Certificate>`.repeat(32) }))}</r>`,
    few: 60,
    tooMany: 700,
  },
};
