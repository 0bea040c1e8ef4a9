export const USAGE = `Signs a file with the key in a PKCS#12 file.

  npm run sign -- FILE --p12 FILE.p12 [options]

The key
  --p12 FILE         the certificate and its key, as .p12 or .pfx
  --pin-file FILE    the PIN is the first line of this file
  --pin-env NAME     the PIN is this environment variable
                     With neither, the PIN is asked for, unseen, or is the first line of a pipe.
  --serial HEX       which certificate signs, where the file holds several

What is made
  --format FORMAT    auto (by what the file holds), pades, cades or xades
  --level LEVEL      B-B, B-T (with a timestamp), B-LT or B-LTA (PDF: with all that proves it later).
                     By default B-T where --timestamp is given, else B-B
  --timestamp URL    an RFC 3161 authority; repeat it to name others for when the first does not answer
  --policy FILE.der  the signature policy that is followed
  --policy-uri URL   where that policy is published, said in the signature
  --trust FILE       B-LT, B-LTA: the roots, in PEM, up to which proofs are collected; repeat it for several.
                     By default the sandbox's, .local/pki/root.crt
  --digest DIGEST    sha256, sha384 or sha512
  --detached         CAdES: the signature apart from the content
  --pem              CAdES: as text
  --cosign           CAdES: FILE is a signature, .p7m or .p7s, and gets one more beside those in it
  --content FILE     --cosign: what FILE is over, where it is detached
  --element ID       XAdES: sign the element with this Id and not the whole document
  --leave-room       XAdES: so that others can sign the same later. Some verifiers, .NET's, refuse its transform
  --field NAME       PAdES: sign this empty field, or make one of this name
  --visible PLACE    PAdES: show it, at page,x,y,width,height in points from the lower left corner
  --image FILE       PAdES: a PNG or JPEG in what is shown
  --reason TEXT, --location TEXT   PAdES: said in the signature

Where it goes
  --out FILE         by default report.signed.pdf, data.bin.p7m (.p7s detached, .pem) or contract.signed.xml;
                     --cosign: data.bin.signed.p7m
  --force            write over what is there

The exit code is 0, or 1 with one line that says what stands in the way.
`;
