# cmake -D nm=... -D object=... -P no_heap.cmake: the object needs no allocator and no exception machinery.
execute_process(COMMAND "${nm}" --undefined-only "${object}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
set(forbidden " (malloc|calloc|realloc|free|aligned_alloc|posix_memalign|_Zn[wa][a-zA-Z0-9_]*|_Zd[la][a-zA-Z0-9_]*|__cxa_(throw|allocate_exception|begin_catch)|_Unwind_[A-Za-z]*|__dynamic_cast|_ZSt[0-9]*__throw_[a-zA-Z0-9_]*)\n")
string(REGEX MATCHALL "${forbidden}" found "${symbols}")
if(found)
  list(JOIN found " " found)
  message(FATAL_ERROR "the loop's object file calls:${found}")
endif()
