#!/usr/bin/env python3
"""What `fleet figures` measures, with the official SDK for Python: a chain of activities, of which
each is handed what the one before it has returned, and independent ones.

    pip install temporalio
    python figures.py --address 127.0.0.1:7233 --rounds 1

Prints a line of JSON for each round. The workers are processes of their own, this program again.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import time
import uuid
from datetime import timedelta

from temporalio import activity, workflow
from temporalio.client import Client
from temporalio.worker import Worker


@activity.defn
async def step(number: int) -> int:
    return number + 1


@workflow.defn
class Chain:
    @workflow.run
    async def run(self, count: int) -> int:
        number = -1
        for _ in range(count):
            number = await workflow.execute_activity(
                step, number, start_to_close_timeout=timedelta(seconds=60)
            )
        return number


@workflow.defn
class Independent:
    @workflow.run
    async def run(self, count: int) -> int:
        results = await asyncio.gather(
            *(
                workflow.execute_activity(
                    step, number, start_to_close_timeout=timedelta(seconds=60)
                )
                for number in range(count)
            )
        )
        return len(results)


def largest_memory(process: subprocess.Popen) -> int:
    with open(f"/proc/{process.pid}/status") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


async def work(options: argparse.Namespace) -> None:
    client = await Client.connect(options.address)
    await Worker(
        client,
        task_queue=options.queue,
        workflows=[Chain, Independent],
        activities=[step],
        max_concurrent_activities=options.slots,
    ).run()


async def seconds(client: Client, run, count: int, at_once: int, queue: str) -> float:
    start = time.monotonic()
    await asyncio.gather(
        *(
            client.execute_workflow(run, count, id=str(uuid.uuid4()), task_queue=queue)
            for _ in range(at_once)
        )
    )
    return time.monotonic() - start


async def measure(options: argparse.Namespace) -> None:
    queue = f"figures-{uuid.uuid4()}"
    command = [sys.executable, __file__, "--address", options.address, "--queue", queue]
    command += ["--slots", str(options.slots)]
    workers = [subprocess.Popen(command) for _ in range(options.workers)]
    try:
        client = await Client.connect(options.address)
        for round in range(options.rounds + 1):
            at_once = options.at_once
            chain = await seconds(client, Chain.run, options.chain, at_once, queue)
            independent = await seconds(
                client, Independent.run, options.independent, at_once, queue
            )
            measured = {
                "chain": chain,
                "independent": independent,
                "memory": [largest_memory(worker) for worker in workers],
                "sdk": "temporalio",
            }
            if round > 0:  # The first is to warm up.
                print(json.dumps(measured), flush=True)
    finally:
        for worker in workers:
            worker.kill()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--address", default="127.0.0.1:7233")
    parser.add_argument("--queue", help="be a worker of this queue")
    parser.add_argument("--slots", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--chain", type=int, default=100)
    parser.add_argument("--independent", type=int, default=1000)
    parser.add_argument("--at-once", type=int, default=1)
    options = parser.parse_args()
    asyncio.run(work(options) if options.queue else measure(options))
