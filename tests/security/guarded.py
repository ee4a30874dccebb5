"""The guarded example as a process that is spoken to in JSON lines: see examples/guarded/serve.rs."""
import json
import subprocess


class Unopened(Exception):
    """The memory was not opened, as something in it is not what it was."""


class Broken(BaseException):
    """Something failed that is no verdict: the suites take any `Exception` for one."""


class Guarded:
    program = None  # set by run.py

    def __init__(self, directory, *options):
        command = [self.program, "--serve", str(directory), *options]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        greeting = self._answer()
        if not greeting["opened"]:
            self.close()
            raise Unopened(greeting["why"])

    def ask(self, op, **members):
        self.process.stdin.write(json.dumps({"op": op, **members}) + "\n")
        self.process.stdin.flush()
        answer = self._answer()
        if "error" in answer:
            raise Broken(answer["error"])
        return answer

    def call(self, tool, source=None, **arguments):
        return self.ask("call", tool=tool, arguments=arguments, source=source)

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()

    def _answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise Broken("the example has ended")
        return json.loads(line)
