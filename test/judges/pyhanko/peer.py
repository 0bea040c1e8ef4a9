"""Signs a file and verifies a signed one again and again, and prints how many a second, and the CPU of each, as JSON.

peer.py pades|cades KEY.p12 PIN FILE SIGNED ROOT.crt SECONDS
"""

import asyncio
import io
import json
import logging
import sys
import time

from asn1crypto import cms
from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign import signers
from pyhanko.sign.fields import SigSeedSubFilter
from pyhanko.sign.validation import async_validate_cms_signature, async_validate_pdf_signature
from pyhanko_certvalidator import ValidationContext

FORMAT, KEY, PIN, FILE, SIGNED, ROOT, SECONDS = sys.argv[1:]
SIGNER = signers.SimpleSigner.load_pkcs12(KEY, passphrase=PIN.encode())
TRUST = load_cert_from_pemder(ROOT)


def read(path):
    with open(path, 'rb') as handle:
        return handle.read()


async def sign():
    if FORMAT == 'cades':
        return await SIGNER.async_sign_general_data(read(FILE), 'sha256', detached=False, use_cades=True)
    meta = signers.PdfSignatureMetadata(
        field_name='Signature1', md_algorithm='sha256', subfilter=SigSeedSubFilter.PADES
    )
    writer = IncrementalPdfFileWriter(io.BytesIO(read(FILE)))
    return await signers.PdfSigner(meta, signer=SIGNER).async_sign_pdf(writer)


async def verify():
    context = ValidationContext(trust_roots=[TRUST])
    if FORMAT == 'cades':
        signed = cms.ContentInfo.load(read(SIGNED))['content']
        status = await async_validate_cms_signature(signed, validation_context=context)
    else:
        reader = PdfFileReader(io.BytesIO(read(SIGNED)))
        status = await async_validate_pdf_signature(reader.embedded_signatures[0], context)
    if not status.valid:
        raise ValueError('The signature is not valid.')


async def measured(work):
    await work()
    start, cpu, done = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() - start < float(SECONDS):
        await work()
        done += 1
    return {
        'perSecond': done / (time.perf_counter() - start),
        'cpuMs': (time.process_time() - cpu) * 1000 / done,
    }


async def main():
    logging.disable(logging.CRITICAL)
    print(json.dumps({'sign': await measured(sign), 'verify': await measured(verify)}))


asyncio.run(main())
