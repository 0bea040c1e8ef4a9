"""Validates the files that are named on standard input with pyHanko, and prints a line of JSON for each.

A line is the name of a PDF or CMS file; the content of a detached signature follows it after a tab.
judge.py ROOT.crt ...
"""

import asyncio
import json
import logging
import sys

from asn1crypto import cms
from cryptography.hazmat.primitives import hashes
from pyhanko.keys import load_certs_from_pemder
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.ades.report import AdESStatus
from pyhanko.sign.diff_analysis import DEFAULT_DIFF_POLICY
from pyhanko.sign.validation.ades import ades_basic_validation, ades_lta_validation, ades_with_time_validation
from pyhanko.sign.validation.generic_cms import extract_tst_data_iter
from pyhanko.sign.validation.policy_decl import (
    PdfSignatureValidationSpec,
    RevocationInfoGatheringSpec,
    SignatureValidationSpec,
)
from pyhanko_certvalidator.context import CertValidationPolicySpec
from pyhanko_certvalidator.fetchers.aiohttp_fetchers import AIOHttpFetcherBackend
from pyhanko_certvalidator.policy_decl import CertRevTrustPolicy, RevocationCheckingPolicy
from pyhanko_certvalidator.registry import SimpleTrustManager

INDICATIONS = {
    AdESStatus.PASSED: 'TOTAL_PASSED',
    AdESStatus.FAILED: 'TOTAL_FAILED',
    AdESStatus.INDETERMINATE: 'INDETERMINATE',
}


def verdict(result, level):
    """The indication and sub-indication of EN 319 102-1."""
    sub = result.ades_subindic
    passed = sub.status == AdESStatus.PASSED
    return {
        'indication': INDICATIONS[sub.status],
        'reason': None if passed else sub.standard_name,
        'level': level,
        'errors': [result.failure_msg] if result.failure_msg else [],
    }


def is_stamped(signer):
    return any(True for _ in extract_tst_data_iter(signer, signed=False))


async def judge_pdf(file, spec):
    with open(file, 'rb') as handle:
        reader = PdfFileReader(handle)
        return [await judge_signature(one, reader, spec) for one in reader.embedded_regular_signatures]


async def judge_signature(signature, reader, spec):
    """By the process of its level (EN 319 102-1, 5.3, 5.5 and 5.6)."""
    signature.compute_integrity_info(diff_policy=DEFAULT_DIFF_POLICY)
    later = [one for one in reader.embedded_timestamp_signatures if one.signed_revision > signature.signed_revision]
    if later:
        level = 'LTA'
        result = await ades_lta_validation(signature, PdfSignatureValidationSpec(signature_validation_spec=spec))
    else:
        process = ades_with_time_validation if is_stamped(signature.signer_info) else ades_basic_validation
        level = 'B' if process is ades_basic_validation else 'LT' if '/DSS' in reader.root else 'T'
        result = await process(signature.signed_data, spec, raw_digest=signature.compute_digest())
    found = verdict(result, level)
    # The indication is of the signature alone: what came into the file after it is judged apart.
    if found['indication'] != 'TOTAL_FAILED' and signature.summarise_integrity_info()['docmdp_ok'] is False:
        found.update(indication='TOTAL_FAILED', reason='HASH_FAILURE', errors=['changed after it was signed'])
    return found


async def judge_cms(file, content, spec):
    with open(file, 'rb') as handle:
        signed = cms.ContentInfo.load(handle.read(), strict=True)['content']
    if len(signed['signer_infos']) != 1:
        raise ValueError('pyHanko judges one signer of a CMS file')
    signer = signed['signer_infos'][0]
    digest = None
    if content is not None:
        hashing = hashes.Hash(getattr(hashes, signer['digest_algorithm']['algorithm'].native.upper())())
        with open(content, 'rb') as handle:
            hashing.update(handle.read())
        digest = hashing.finalize()
    process = ades_with_time_validation if is_stamped(signer) else ades_basic_validation
    level = 'B' if process is ades_basic_validation else 'T'
    return [verdict(await process(signed, spec, raw_digest=digest), level)]


async def judge(line, spec):
    file, _, content = line.partition('\t')
    try:
        with open(file, 'rb') as handle:
            is_pdf = b'%PDF-' in handle.read(1024)
        judged = await (judge_pdf(file, spec) if is_pdf else judge_cms(file, content or None, spec))
        return {'file': file, 'signatures': judged}
    except Exception as error:  # Whatever it throws is its answer.
        return {'file': file, 'problem': f'{type(error).__name__}: {error}', 'signatures': []}


async def main():
    logging.disable(logging.CRITICAL)
    backend = AIOHttpFetcherBackend(per_request_timeout=60)
    rule = RevocationCheckingPolicy.from_legacy('hard-fail')
    policy = CertValidationPolicySpec(
        trust_manager=SimpleTrustManager.build(trust_roots=list(load_certs_from_pemder(sys.argv[1:]))),
        revinfo_policy=CertRevTrustPolicy(rule),
    )
    spec = SignatureValidationSpec(
        cert_validation_policy=policy,
        revinfo_gathering_policy=RevocationInfoGatheringSpec(fetcher_backend=backend),
    )
    try:
        for line in sys.stdin.read().splitlines():
            print(json.dumps(await judge(line, spec)))
    finally:
        await backend.close()


asyncio.run(main())
