"""Coroutines, tasks and generators."""

from __future__ import annotations

from small_programs import analyse


def test_run_awaits_to_the_end() -> None:
    found = analyse("""
        import asyncio
        async def f():
            return 1
        async def main():
            global y
            y = await f()
        asyncio.run(main())
    """)
    assert 1 in found.plain("y")
    assert found.dead() == set()


def test_a_task_runs() -> None:
    found = analyse("""
        import asyncio
        async def f():
            done()
        def done():
            return 1
        async def main():
            asyncio.create_task(f())
        asyncio.run(main())
    """)
    assert found.dead() == set()


def test_async_for_reads_what_is_yielded() -> None:
    found = analyse("""
        import asyncio
        async def gen():
            yield 3
        async def main():
            global y
            async for x in gen():
                y = x
        asyncio.run(main())
    """)
    assert 3 in found.plain("y")
    assert found.dead() == set()


def test_a_generator_is_iterated() -> None:
    found = analyse("""
        def gen():
            yield 1
            yield 2
        last = 0
        for x in gen():
            last = x
    """)
    assert found.plain("last") >= {1, 2}
    assert found.dead() == set()


def test_yield_from() -> None:
    found = analyse("""
        def a():
            yield 1
        def b():
            yield from a()
        last = 0
        for x in b():
            last = x
    """)
    assert 1 in found.plain("last")
    assert found.dead() == set()
