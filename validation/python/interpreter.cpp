// The Python interpreter, linked with what the thread sanitizer needs.
#include <Python.h>

int main(int count, char** arguments) {
    return Py_BytesMain(count, arguments);
}
